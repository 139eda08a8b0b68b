import { defineConfig } from "vitest/config";

// `npm test` runs the unit project; `make test-e2e` runs the e2e project, which needs a kind cluster.
export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: ["node_modules/**", "bin/**", "test/e2e/**"],
          hookTimeout: 120_000,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          fileParallelism: false,
          hookTimeout: 600_000,
          testTimeout: 300_000,
        },
      },
    ],
  },
});
