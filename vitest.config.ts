import { availableParallelism } from "node:os";
import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config";
import { compiledSources, compileSources } from "./test/compiled-sources.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { patience } from "./test/patience.ts";

// Tests mostly wait, for processes and servers: more than one file at a time pays on two cores, too.
const maxWorkers = availableParallelism() + 2;
// A watching Vitest must see the sources themselves.
const isWatching = process.argv[2] !== "run";
if (!isWatching) compileSources();

// Tests of the heap and the metrics of their process, which those of other files would change.
const ofProcess = [
  "test/conformance/runtime/differential/differential.test.ts",
  "test/unit/runtime/fleet/fleet-memory.test.ts",
  "test/unit/runtime/manager/stop-controller.test.ts",
  "test/unit/runtime/metrics/prometheus-metrics.test.ts",
  "test/unit/runtime/servers/profile-server.test.ts",
];

// They compute for most of a minute each, in servers with all of OLM or beside a busy process.
const long = [
  "test/conformance/differential/*.test.ts",
  "test/conformance/olm/*.test.ts",
  "test/conformance/runtime/chaos/*.test.ts",
  "test/conformance/runtime/memory/*.test.ts",
  "test/conformance/runtime/optimizing/*.test.ts",
  "test/unit/olm/cluster/bundle-flags.test.ts",
];

const golden = "test/golden/golden.test.ts";

// They build or run the software of others.
const others = [
  "test/check/go-operator.test.ts",
  "test/e2e/envtest-languages.test.ts",
  "test/e2e/go-clients.test.ts",
  "test/e2e/go-operator.test.ts",
  "test/e2e/helm-operator.test.ts",
];

/** A busy machine may take long for what is quick; each wait in a test has its own deadline. */
function project(
  name: string,
  limitMs: number,
  options: TestProjectInlineConfiguration["test"],
): TestProjectInlineConfiguration {
  return {
    plugins: isWatching ? [] : [compiledSources()],
    test: { name, testTimeout: limitMs, hookTimeout: limitMs, expect: { poll: { ...patience } }, ...options },
  };
}

// Without `isolate`, files share processes and what these have imported, which is most of the time of many files.
// One project a kind of test (CONTRIBUTING.md); `npm test` runs the first five, `npm run test:e2e` others.
const config: ViteUserConfig = {
  test: {
    maxWorkers,
    // Kept in node_modules, for all projects and for the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      project("unit", 120_000, {
        isolate: false,
        include: ["test/unit/**/*.test.ts"],
        exclude: [...ofProcess, ...long],
      }),
      project("process", 120_000, { include: ofProcess }),
      project("golden", 300_000, { include: [golden] }),
      project("conformance", 300_000, {
        isolate: false,
        maxConcurrency: 12,
        include: ["test/conformance/**/*.test.ts"],
        exclude: [...ofProcess, ...long],
      }),
      // Each file starts servers in processes of their own and measures their silence, in processor time.
      project("hostile", 120_000, { isolate: false, include: ["test/hostile/*.test.ts"] }),
      // Each test runs up to four servers and operators, whose silence is measured.
      project("check", 900_000, { maxConcurrency: 1, include: ["test/check/*.test.ts"], exclude: others }),
      project("long", 300_000, { isolate: false, maxConcurrency: 12, include: long }),
      // Runs compilers and tests in scaffolded projects.
      project("projects", 300_000, { maxConcurrency: 2, include: ["test/golden/*.test.ts"], exclude: [golden] }),
      // One browser at a time; without a Chromium it is skipped.
      project("window", 300_000, { fileParallelism: false, include: ["test/window/*.test.ts"] }),
      // Software that nobody of this project wrote, on both servers; it builds programs in Go.
      project("foreign", 1_800_000, { fileParallelism: false, include: ["lab/foreign/*.test.ts"] }),
      project("others", 600_000, { include: others }),
      project("e2e", 600_000, { include: ["test/e2e/**/*.test.ts"], exclude: others }),
    ],
  },
};

export default config;
