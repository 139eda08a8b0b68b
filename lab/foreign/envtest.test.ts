import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { blocksOf } from "../../test/e2e/document-blocks.ts";
import { findProgram, linkPackages, mustRun, repository, temporaryFolder } from "../../test/e2e/shell.ts";
import { acceptedDifferences } from "./accepted-differences.ts";
import { buildSuite, runSuite, type SuiteRun } from "./envtest-run.ts";
import { envtestSuites } from "./envtest-suites.ts";
import { compareVerdicts } from "./verdicts.ts";

// Suites of other projects as they are, with the programs of KUBEBUILDER_ASSETS and with those of `tsop envtest`, in turns.
const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const rounds = Number(process.env["TSOP_ENVTEST_ROUNDS"] ?? 1);
const rows: string[] = [];
afterAll(() => {
  const header =
    "| suite | passes, real | passes, tsop | wall | CPU | memory of the servers |\n|---|---|---|---|---|---|";
  if (rows.length > 0) console.log([header, ...rows].join("\n"));
});

const missing = [assets === "" && "KUBEBUILDER_ASSETS is not set", !findProgram("go") && "Go is not installed"];
const reason = missing.filter(Boolean).join(", ");
describe.skipIf(reason !== "")(`suites with tsop envtest ${reason && `(${reason})`}`, () => {
  it.each(envtestSuites.map((suite) => [suite.name, suite] as const))(
    "%s passes as with the real programs",
    async (name, suite) => {
      const built = await buildSuite(suite);
      const ours = (
        await mustRun(process.execPath, [join(repository, "bin/tsop.js"), "envtest"], { cwd: repository })
      ).trim();
      const [real, embedded]: [SuiteRun[], SuiteRun[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        real.push(await runSuite(built, assets, suite.arguments));
        embedded.push(await runSuite(built, ours, suite.arguments));
      }
      rows.push(formatRow(name, real, embedded));
      console.log(rows.at(-1));
      const { both, onlyReal } = compareVerdicts(real[0].verdicts, embedded[0].verdicts);
      expect(both.length, [...real[0].verdicts.values()].join("\n")).toBeGreaterThan(0);
      const accepted = acceptedDifferences[`envtest: ${name}`] ?? {};
      const news = onlyReal.filter((each) => !Object.hasOwn(accepted, each));
      expect(
        news,
        news.map((each) => `${each}: ${embedded[0].verdicts.get(each) ?? "it did not run"}`).join("\n\n"),
      ).toEqual([]);
    },
  );
});

// `make test` with the line of docs/envtest.md in place of the one that downloads the real programs.
describe.each(["kubebuilder", "operator-sdk"])("a project of %s", (tool) => {
  const program = join(assets, tool);
  it.skipIf(reason !== "" || !existsSync(program))("passes its own tests", async () => {
    const folder = temporaryFolder(tool);
    const cwd = folder.path;
    const api = ["--group", "cache", "--version", "v1", "--kind", "Memcached"];
    await mustRun(program, ["init", "--domain", "example.com", "--repo", "example.com/operator"], { cwd });
    await mustRun(program, ["create", "api", ...api, "--resource", "--controller", "--make=false"], { cwd });
    await mustRun(program, ["create", "webhook", ...api, "--defaulting", "--programmatic-validation"], { cwd });
    linkPackages(cwd);
    const makefile = join(cwd, "Makefile");
    const shown = blocksOf("docs/envtest.md").find(({ language }) => language === "make")?.code ?? "";
    writeFileSync(
      makefile,
      readFileSync(makefile, "utf8").replace(/^test:.*\n\t.*\n/m, () => shown),
    );
    const output = await mustRun("make", ["test"], { cwd, env: { GOFLAGS: "-mod=mod" } });
    expect(output).toMatch(/^ok\s+example\.com\/operator\/internal\/controller/m);
    expect(output).toMatch(/^ok\s+example\.com\/operator\/internal\/webhook/m);
    expect(existsSync(join(cwd, "bin/k8s"))).toBe(false);
    folder.remove();
  });
});

function formatRow(name: string, real: readonly SuiteRun[], embedded: readonly SuiteRun[]): string {
  const passes = ([{ verdicts } = real[0]]: readonly SuiteRun[]): string => {
    const passed = [...verdicts.values()].filter((failure) => failure === "").length;
    return passed === verdicts.size ? String(passed) : `${passed} of ${verdicts.size}`;
  };
  const compare = (of: (run: SuiteRun) => number, digits: number, unit: string): string => {
    const [before, after] = [real, embedded].map((runs) => median(runs.map(of)));
    return `${before.toFixed(digits)} → ${after.toFixed(digits)} ${unit} (${(after / before).toFixed(2)})`;
  };
  return `| ${[
    name,
    passes(real),
    passes(embedded),
    compare(({ wallSeconds }) => wallSeconds, 1, "s"),
    compare(({ cpuSeconds }) => cpuSeconds, 1, "s"),
    compare(({ serverMegabytes }) => serverMegabytes, 0, "MB"),
  ].join(" | ")} |`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
