import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { checkOperator } from "../../src/testing/check-operator.ts";
import { linkPackages, mustRun, repository, run, temporaryFolder } from "../e2e/shell.ts";

const tsop = join(repository, "bin/tsop.js");

beforeAll(() => {
  if (!existsSync(join(repository, "dist/index.js"))) throw new Error("run `npm run build` first");
});

/** Copies the Memcached example, and gives it webhooks; the statements are the validator's. */
async function makeProject(statements: string): Promise<string> {
  const folder = temporaryFolder("check-webhooks");
  onTestFinished(() => folder.remove());
  const project = join(folder.path, "project");
  cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true });
  linkPackages(project);
  const flags = "--group cache --version v1alpha1 --kind Memcached --defaulting --programmatic-validation";
  await mustRun(process.execPath, [tsop, "create", "webhook", ...flags.split(" ")], { cwd: project });
  const file = join(project, "webhooks/v1alpha1/memcached_validator.ts");
  const scaffolded = readFileSync(file, "utf8");
  const own = scaffolded.replace(/const \{ annotations = [^]*?(?=\n {2}\}\n\}\n)/, statements);
  expect(own).not.toBe(scaffolded);
  writeFileSync(file, own);
  return project;
}

it("explores what the webhooks of a project allow, and finds nothing wrong with them", async () => {
  const folder = await makeProject('if (memcached.spec.size === 1) throw new Error("one is too few");');
  const { stdout } = await run(process.execPath, [tsop, "check", "--list", "--only", "exploration"], { cwd: folder });
  expect(stdout).toContain("exploration:Memcached:spec.size:a value between");
  expect(stdout).not.toContain("exploration:Memcached:spec.size:the minimum");

  const { report, runs } = await checkOperator({ folder, args: ["--leader-elect"], budgetMs: 45_000 });
  expect(report).toBe("");
  expect(runs).toBeGreaterThan(10);
});

it("finds a webhook that refuses the removal of a finalizer", async () => {
  const folder = await makeProject(
    'if (memcached.metadata.deletionTimestamp) throw new Error("it must not change any more");',
  );
  const { findings, report } = await checkOperator({ folder, only: [] });
  expect(
    findings.map(({ class: name }) => name),
    report,
  ).toContain("deletion-hangs");
});
