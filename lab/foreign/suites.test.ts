import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findProgram } from "../../test/e2e/shell.ts";
import { acceptedDifferences } from "./accepted-differences.ts";
import { controllerRuntime, controllerRuntimeSuites, runSuite } from "./controller-runtime.ts";
import { runEndToEnd } from "./kubernetes-e2e.ts";
import { pytestSuites, runPytest } from "./pytest.ts";
import { kubernetes, runTestCmd } from "./test-cmd.ts";
import { compareVerdicts, formatComparisons, type Comparison, type Verdicts } from "./verdicts.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const modules = process.env["TSOP_GO_MODULES"] ?? "";
const sources = process.env["TSOP_PYTHON_SOURCES"] ?? "";
/** Names of cases of test/cmd, such as `run_pod_tests`; all by default. */
const cases = process.env["TSOP_TEST_CMD"]?.split(" ") ?? [];

const comparisons = new Map<string, Comparison>();

// Suites of other projects, each on a fresh server of both kinds.
afterAll(() => {
  if (comparisons.size > 0) console.log(formatComparisons(comparisons));
});

/** Fails if a test passes only on the real server without an accepted reason, or if a reason has no such test. */
async function compare(suite: string, runOn: (real: boolean) => Promise<Verdicts>): Promise<void> {
  const real = await runOn(true);
  const embedded = await runOn(false);
  const comparison = compareVerdicts(real, embedded);
  comparisons.set(suite, comparison);
  expect(comparison.both.length, [...real.values()].join("\n")).toBeGreaterThan(0);
  const accepted = Object.entries(acceptedDifferences[suite] ?? {});
  const names = new Set(accepted.map(([name]) => name));
  const news = comparison.onlyReal.filter((name) => !names.has(name));
  expect(news, news.map((name) => `${name}: ${embedded.get(name) ?? "it did not run"}`).join("\n\n")).toEqual([]);
  const isSelected = (name: string): boolean => cases.length === 0 || cases.includes(name);
  const expected = accepted.filter(([name, { sometimes }]) => !sometimes && isSelected(name));
  const over = expected.filter(([name]) => !comparison.onlyReal.includes(name));
  expect(over, "these differences are over").toEqual([]);
}

const withoutGo = findProgram("go") ? missingModule(controllerRuntime) : "Go is not installed";
describe.skipIf(withoutGo !== "")(`suites of controller-runtime ${withoutGo && `(${withoutGo})`}`, () => {
  it.each(controllerRuntimeSuites)("%s passes on the embedded server as on a real one", async (suite) => {
    await compare(suite, (real) => runSuite(suite, { modules, assets, real }));
  });
});

const withoutKubernetes = missingModule(kubernetes);
describe.skipIf(withoutKubernetes !== "")(
  `test/cmd of Kubernetes ${withoutKubernetes && `(${withoutKubernetes})`}`,
  () => {
    // On a busy machine with two cores each run takes half an hour.
    it("passes on the embedded server as on a real one", { timeout: 5_400_000 }, async () => {
      await compare("test/cmd", (real) => runTestCmd({ modules, assets, real, cases }));
    });
  },
);

const withoutEndToEnd = withoutGo === "Go is not installed" ? withoutGo : withoutKubernetes;
it.skipIf(withoutEndToEnd !== "")(
  `end-to-end tests of Kubernetes pass on the sandbox ${withoutEndToEnd && `(${withoutEndToEnd})`}`,
  { timeout: 3_600_000 },
  async () => {
    const verdicts = await runEndToEnd({ modules, assets });
    expect(verdicts.size).toBeGreaterThan(100);
    expect([...verdicts].filter(([, failure]) => failure !== "")).toEqual([]);
  },
);

describe.each(pytestSuites)("suite in Python: $name", (suite) => {
  const missing = [suite.project, "venv"].map((name) => missingFor("TSOP_PYTHON_SOURCES", name)).find(Boolean) ?? "";
  it.skipIf(missing !== "")(`passes on the embedded server as on a real one ${missing && `(${missing})`}`, async () => {
    await compare(suite.name, (real) => runPytest(suite, { sources, assets, real }));
  });
});

function missingModule(module: string): string {
  return missingFor("TSOP_GO_MODULES", module);
}

/** Returns why the suites of a project can't run, whose sources are below the folder that a variable names. */
function missingFor(variable: string, project: string): string {
  if (!assets) return "KUBEBUILDER_ASSETS is not set";
  const folder = process.env[variable];
  if (!folder) return `${variable} is not set`;
  return existsSync(join(folder, project)) ? "" : `${project} is not in ${variable}`;
}
