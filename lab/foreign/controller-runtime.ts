import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, run } from "../../test/e2e/shell.ts";
import { withServer } from "./foreign-server.ts";
import type { Verdicts } from "./verdicts.ts";

/** The module, in the layout of Go's module cache. */
export const controllerRuntime = "sigs.k8s.io/controller-runtime@v0.25.2";

/** The packages of controller-runtime whose suites use a server. */
export const controllerRuntimeSuites = [
  "builder",
  "cache",
  "client",
  "client/apiutil",
  "cluster",
  "controller",
  "controller/controllerutil",
  "envtest",
  "handler",
  "internal/controller",
  "internal/recorder",
  "manager",
  "manager/internal/integration",
  "metrics/filters",
  "reconcile",
  "source",
  "webhook",
];

/** Builds the test program of a suite, which takes minutes the first time, and returns its path. */
async function buildSuite(modules: string, suite: string): Promise<string> {
  const folder = join(process.env["OPERATORS"] ?? join(tmpdir(), "tsop-operators"), controllerRuntime);
  const program = join(folder, `${suite.replaceAll("/", "-")}.test`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const options = { cwd: join(modules, controllerRuntime), env: { GOFLAGS: "-mod=readonly", GOSUMDB: "off" } };
  await mustRun("go", ["test", "-c", "-o", program, `./pkg/${suite}`], options);
  return program;
}

export interface SuiteOptions {
  readonly modules: string;
  readonly assets: string;
  readonly real: boolean;
}

/** Runs a suite on a fresh server. */
export function runSuite(suite: string, { modules, assets, real }: SuiteOptions): Promise<Verdicts> {
  return withServer({ assets, real }, async ({ folder, kubeconfig }) => {
    const program = await buildSuite(modules, suite);
    const report = join(folder, "report.json");
    const { stdout, stderr } = await run(
      program,
      // One order for both servers; a suite that hangs ends with a report.
      ["--test.v", "--ginkgo.seed=1", "--ginkgo.timeout=12m", `--ginkgo.json-report=${report}`],
      {
        cwd: join(modules, controllerRuntime, "pkg", suite),
        env: { USE_EXISTING_CLUSTER: "true", KUBECONFIG: kubeconfig, KUBEBUILDER_ASSETS: assets },
      },
    );
    if (!existsSync(report)) throw new Error(`${suite} has no report:\n${stdout}${stderr}`);
    const specs = readReport(await readFile(report, "utf8"));
    return specs.size > 0 ? specs : readOutput(stdout);
  });
}

interface Spec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly Failure?: { readonly Message: string; readonly Location: { FileName: string; LineNumber: number } };
}

/** Returns the verdicts of a report of ginkgo, without specs that are skipped. */
export function readReport(text: string): Verdicts {
  const suites = JSON.parse(text) as { SpecReports: Spec[] | null }[];
  const verdicts = new Map<string, string>();
  for (const spec of suites.flatMap(({ SpecReports }) => SpecReports ?? [])) {
    if (spec.State === "skipped" || spec.State === "pending") continue;
    const name = specName(spec);
    // Nodes such as BeforeSuite are noted only if they fail.
    if (spec.State === "passed" && spec.LeafNodeType !== "It") continue;
    verdicts.set(unusedName(verdicts, name), spec.State === "passed" ? "" : failureOf(spec));
  }
  return verdicts;
}

/** Returns the verdicts of a suite without ginkgo, from the lines that Go prints for each test. */
export function readOutput(text: string): Verdicts {
  const lines = [...text.matchAll(/^ *--- (PASS|FAIL): (\S+)/gm)];
  return new Map(lines.map(([, result, name = ""]) => [name, result === "PASS" ? "" : "see its output"]));
}

function specName({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: Spec): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(" ").trim();
}

/** Specs that a loop creates may share a name. */
function unusedName(verdicts: Verdicts, name: string): string {
  let [unused, count] = [name, 1];
  while (verdicts.has(unused)) unused = `${name} (${++count})`;
  return unused;
}

function failureOf({ State, Failure }: Spec): string {
  return Failure ? `${Failure.Message} at ${Failure.Location.FileName}:${Failure.Location.LineNumber}` : State;
}
