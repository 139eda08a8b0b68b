import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";
import { FlakyReporter } from "./test/flaky-reporter.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { patience } from "./test/patience.ts";

// Tests mostly wait, for processes and servers: more than one file at a time pays on two cores, too.
const maxWorkers = availableParallelism() + 2;
// Among thousands of tests with real processes one race must not decide a landing; the reporter names each.
const retry = process.env["CI"] ? 1 : 0;
// A busy machine may take long for what is quick; each wait in a test has its own deadline.
const limits = (ms: number) => ({ testTimeout: ms, hookTimeout: ms, expect: { poll: { ...patience } }, retry });

// Tests of the heap and the metrics of their process, which those of other files would change.
const ofProcess = [
  "test/conformance/runtime/differential/differential.test.ts",
  "test/unit/runtime/fleet/fleet-memory.test.ts",
  "test/unit/runtime/manager/stop-controller.test.ts",
  "test/unit/runtime/metrics/prometheus-metrics.test.ts",
  "test/unit/runtime/servers/profile-server.test.ts",
];

// It measures processor time, which the same work needs more of if other tests fill the caches of the processor.
const alone = "test/hostile/long-turns.test.ts";

// Without `isolate`, files share processes and what these have imported, which is most of the time of many files.
// One project a kind of test (CONTRIBUTING.md); `npm test` runs the first six, `npm run test:e2e` others.
const config: ViteUserConfig = {
  test: {
    maxWorkers,
    reporters: ["default", new FlakyReporter()],
    // Kept in node_modules, for all projects and for the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          isolate: false,
          include: ["test/unit/**/*.test.ts", "test/sharding/*.test.ts"],
          exclude: ofProcess,
          ...limits(120_000),
        },
      },
      { test: { name: "process", include: ofProcess, ...limits(120_000) } },
      {
        test: {
          name: "golden",
          isolate: false,
          maxConcurrency: 2,
          include: ["test/golden/*.test.ts"],
          ...limits(300_000),
        },
      },
      {
        test: {
          name: "conformance",
          isolate: false,
          maxConcurrency: 12,
          include: ["test/conformance/**/*.test.ts"],
          exclude: ofProcess,
          ...limits(300_000),
        },
      },
      // Each file starts servers in processes of their own and measures their silence.
      {
        test: {
          name: "hostile",
          isolate: false,
          include: ["test/hostile/*.test.ts"],
          exclude: [alone],
          ...limits(30_000),
        },
      },
      // After the others.
      { test: { name: "alone", include: [alone], sequence: { groupOrder: 1 }, ...limits(60_000) } },
      // Each test runs up to four servers and operators, whose silence is measured.
      {
        test: { name: "check", maxConcurrency: 1, include: ["test/check/*.test.ts"], ...limits(900_000) },
      },
      // One browser at a time; without a Chromium it is skipped.
      {
        test: { name: "window", fileParallelism: false, include: ["test/window/*.test.ts"], ...limits(300_000) },
      },
      // Software that nobody of this project wrote, on both servers; it builds programs in Go.
      { test: { name: "foreign", fileParallelism: false, include: ["test/foreign/*.test.ts"], ...limits(1_800_000) } },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          ...limits(600_000),
        },
      },
    ],
  },
};

export default config;
