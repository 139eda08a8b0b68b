import type { ViteUserConfig } from "vitest/config";

// One project a kind of test (CONTRIBUTING.md); `npm test` runs the first three, `npm run test:e2e` the last.
const config: ViteUserConfig = {
  test: {
    projects: [
      // A busy machine may take long for what is quick; each wait in a test has its own deadline.
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "golden", include: ["test/golden/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          name: "conformance",
          maxConcurrency: 12,
          include: ["test/conformance/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
};

export default config;
