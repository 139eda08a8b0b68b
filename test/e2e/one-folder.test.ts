import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { linkPackages, LongRunning, mustRun, repository, run, temporaryFolder, until } from "./shell.ts";

const folder = temporaryFolder("one-folder");
const tsop = join(repository, "bin/tsop.js");
const createApi = (kind: string): string[] => [tsop, "create", "api", "--group", "ship", "--kind", kind];

beforeAll(async () => {
  const init = [tsop, "init", "--domain", "example.com", "--project-name", "demo", "--skip-install", "--tsop", "*"];
  await mustRun(process.execPath, init, { cwd: folder.path });
  linkPackages(folder.path);
});
afterAll(() => folder.remove());

it("counts every kind of four commands that start at once", async () => {
  const kinds = ["Anchor", "Buoy", "Capstan", "Davit"];
  const ended = await Promise.all(kinds.map((kind) => run(process.execPath, createApi(kind), { cwd: folder.path })));
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    kinds.map(() => ({ code: 0, stderr: expect.any(String) })),
  );
  const project = readFileSync(join(folder.path, "PROJECT"), "utf8");
  expect(kinds.filter((kind) => project.includes(`kind: ${kind}\n`))).toEqual(kinds);
  const crds = readdirSync(join(folder.path, "config/crd/bases"));
  expect(crds).toEqual(kinds.map((kind) => `ship.example.com_${kind.toLowerCase()}s.yaml`));
  expect(existsSync(join(folder.path, ".tsop"))).toBe(false);
}, 120_000);

it("names the command that it waits for, ends on Ctrl-C, and leaves the lock to its owner", async () => {
  const sandbox = new LongRunning(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"], {
    cwd: folder.path,
  });
  await sandbox.prints(/up/);
  await mustRun("mkdir", ["-p", ".tsop"], { cwd: folder.path });
  const lock = join(folder.path, ".tsop/lock");
  writeFileSync(lock, `${sandbox.child.pid}  tsop edit`);
  const waiting = new LongRunning(process.execPath, createApi("Ensign"), { cwd: folder.path });
  await waiting.prints(new RegExp(`waiting for tsop edit \\(process ${sandbox.child.pid}\\)`));
  expect(await waiting.stop("SIGINT")).toBe(130);
  expect(readFileSync(lock, "utf8")).toContain("tsop edit");

  const next = new LongRunning(process.execPath, createApi("Ensign"), { cwd: folder.path });
  await next.prints(/waiting for tsop edit/);
  await sandbox.stop("SIGKILL");
  expect([await next.ended, next.output]).toEqual([
    0,
    expect.stringContaining("created  api/v1alpha1/ensign_types.ts"),
  ]);
  await until("the lock is gone", () => (existsSync(lock) ? undefined : true));
}, 120_000);
