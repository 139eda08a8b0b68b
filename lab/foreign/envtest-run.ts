import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../src/files/is-alive.ts";
import { mustRun } from "../../test/e2e/shell.ts";
import { childrenOf } from "../../test/process-usage.mjs";
import { readOutput, readReport } from "./controller-runtime.ts";
import type { EnvtestSuite } from "./envtest-suites.ts";
import type { Verdicts } from "./verdicts.ts";

/** What one run of a suite says and costs, the servers that it starts included. */
export interface SuiteRun {
  readonly verdicts: Verdicts;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** The largest sum of the proportional set sizes of its servers, which counts shared pages once, in MB. */
  readonly serverMegabytes: number;
}

/** A test program, and the folder in which it finds its manifests. */
export interface BuiltSuite {
  readonly program: string;
  readonly folder: string;
  readonly usesGinkgo: boolean;
}

/** Builds the test program of a suite in a copy of its module, which takes minutes the first time. */
export async function buildSuite({ module, package: path }: EnvtestSuite): Promise<BuiltSuite> {
  const source = join(process.env["OPERATORS"] ?? join(tmpdir(), "tsop-operators"), "envtest", module);
  const program = join(source, `${path.replaceAll("/", "-")}.test`);
  const env = { GOFLAGS: "-mod=mod", GOSUMDB: "off" };
  if (!existsSync(source)) {
    const text = await mustRun("go", ["mod", "download", "-json", module], { cwd: tmpdir(), env });
    cpSync((JSON.parse(text) as { Dir: string }).Dir, source, { recursive: true });
    await mustRun("chmod", ["-R", "u+w", source], { cwd: source });
  }
  if (!existsSync(program)) await mustRun("go", ["test", "-c", "-o", program, `./${path}`], { cwd: source, env });
  // Some programs start servers before they look at a flag.
  const usesGinkgo = readFileSync(program).includes("onsi/ginkgo/v2.RunSpecs");
  return { program, folder: join(source, path), usesGinkgo };
}

/** Runs a suite with the programs of a folder. */
export async function runSuite(built: BuiltSuite, assets: string, more: readonly string[] = []): Promise<SuiteRun> {
  const home = await mkdtemp(join(tmpdir(), "tsop-suite-"));
  const [report, output, times] = ["report.json", "output.txt", "times.txt"].map((name) => join(home, name));
  const ginkgo = built.usesGinkgo ? ["-ginkgo.seed=1", "-ginkgo.timeout=15m", `-ginkgo.json-report=${report}`] : [];
  const script = `TIMEFORMAT="%R %U %S"; { time "$@" > ${output} 2>&1; } 2> ${times}`;
  const args = ["-c", script, "bash", built.program, "-test.v", "-test.timeout=15m", ...ginkgo, ...more];
  const child = spawn("bash", args, {
    cwd: built.folder,
    env: { ...process.env, KUBEBUILDER_ASSETS: assets },
    stdio: "ignore",
  });
  let serverMegabytes = 0;
  const seen = new Set<number>();
  const timer = setInterval(() => {
    const servers = childrenOf(child.pid).flatMap((program) => descendants(Number(program)));
    for (const pid of servers) seen.add(pid);
    serverMegabytes = Math.max(
      serverMegabytes,
      servers.map(megabytesOf).reduce((sum, each) => sum + each, 0),
    );
  }, 200);
  await new Promise((resolve) => child.once("close", resolve));
  clearInterval(timer);
  // Some suites leave their servers behind.
  for (const pid of seen) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  const [wallSeconds = 0, user = 0, system = 0] = readFileSync(times, "utf8")
    .trim()
    .split("\n")
    .at(-1)!
    .split(" ")
    .map(Number);
  const specs = existsSync(report) ? readReport(await readFile(report, "utf8")) : new Map<string, string>();
  const verdicts = specs.size > 0 ? specs : readOutput(await readFile(output, "utf8"));
  if (verdicts.size === 0) throw new Error(`${built.program} says nothing: ${await readFile(output, "utf8")}`);
  rmSync(home, { recursive: true });
  return { verdicts, wallSeconds, cpuSeconds: user + system, serverMegabytes };
}

function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [Number(child), ...descendants(Number(child))]);
}

/** Returns the proportional set size of a process, 0 if it has ended. */
function megabytesOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
