import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { run } from "../../test/e2e/shell.ts";
import { withServer } from "./foreign-server.ts";
import type { Verdicts } from "./verdicts.ts";

/** A suite of a project in Python. */
export interface PytestSuite {
  readonly name: string;
  /** The folder of the project's sources, with the version. */
  readonly project: string;
  /** Files, folders and flags for pytest. */
  readonly args: readonly string[];
}

export const pytestSuites: readonly PytestSuite[] = [
  {
    name: "Python client",
    project: "kubernetes-client-36.0.3",
    // Without a kubelet the tests of running pods wait forever.
    args: ["kubernetes/e2e_test", "kubernetes/aio/e2e_test", "kubernetes/dynamic", "--timeout=30"],
  },
  {
    name: "kopf",
    project: "kopf-1.45.2",
    // Connections that it leaves to the garbage collector would fail whichever test runs at that moment.
    args: ["tests/e2e", "examples", "--only-e2e", "--timeout=60", "-Wignore::pytest.PytestUnraisableExceptionWarning"],
  },
];

export interface PytestOptions {
  /** The folder with the projects, and with the virtual environment `venv`. */
  readonly sources: string;
  readonly assets: string;
  readonly real: boolean;
}

/** Runs a suite on a fresh server with the real controllers. */
export async function runPytest({ project, args }: PytestSuite, options: PytestOptions): Promise<Verdicts> {
  const { sources, assets, real } = options;
  return withServer({ assets, real, controllerArguments: [] }, async ({ folder, kubeconfig }) => {
    const report = join(folder, "report.jsonl");
    const { stdout, stderr } = await run(
      join(sources, "venv/bin/python"),
      // The sources stay as they are.
      ["-B", "-m", "pytest", "-p", "no:cacheprovider", `--report-log=${report}`, ...args],
      {
        cwd: join(sources, project),
        env: {
          KUBECONFIG: kubeconfig,
          PATH: `${assets}${delimiter}${process.env["PATH"]}`,
          // Both clients keep what they have discovered, by address.
          HOME: folder,
          TMPDIR: folder,
        },
      },
    );
    if (!existsSync(report)) throw new Error(`${project} has no report:\n${stdout}${stderr}`);
    return readReport(await readFile(report, "utf8"));
  });
}

/** A line of the report: each test has one for its setup, its call and its teardown. */
interface Report {
  readonly $report_type: string;
  readonly nodeid: string;
  readonly when?: string;
  readonly outcome: string;
  readonly longrepr?: string | Crash | null;
}

interface Crash {
  readonly reprcrash?: { readonly path: string; readonly lineno: number; readonly message: string } | null;
}

/** Returns the verdicts of a report of pytest-reportlog, without tests that are skipped. */
function readReport(text: string): Verdicts {
  const reports = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Report);
  const verdicts = new Map<string, string>();
  for (const report of reports) {
    const { $report_type: type, nodeid, when, outcome } = report;
    if (outcome === "failed") verdicts.set(nodeid, verdicts.get(nodeid) || failureOf(report));
    else if (type === "TestReport" && when === "call" && outcome === "passed") verdicts.set(nodeid, "");
  }
  return verdicts;
}

function failureOf({ when = "collection", longrepr }: Report): string {
  if (typeof longrepr === "string") return longrepr;
  const crash = longrepr?.reprcrash;
  return crash ? `${crash.message} at ${crash.path}:${crash.lineno}` : `its ${when} failed`;
}
