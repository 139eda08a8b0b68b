import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { applyPlan } from "../../../../../src/files/apply.ts";
import { realDisk } from "../../../../../src/files/real-disk.ts";
import { loadProject } from "../../../../../src/project/load-project.ts";
import { planUpdate } from "../../../../../src/project/scaffold/update/plan-update.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

let top: string;
let root: string;
beforeEach(() => {
  top = temporaryFolder();
  root = join(top, "project");
  mkdirSync(root);
  mkdirSync(join(top, "outside"));
  writeFileSync(join(top, "outside/secret"), "password\n");
  const project = 'cliVersion: 1.0.0\nlayout:\n- typescript.tsop.dev/v1\nprojectName: demo\nversion: "3"\n';
  writeFileSync(join(root, "PROJECT"), project);
});

async function planOf(base: Record<string, string>, theirs: Record<string, string>): ReturnType<typeof planUpdate> {
  const labels = { ours: "yours", theirs: "tsop 2.0.0" };
  const versions = { base: new Map(Object.entries(base)), theirs: new Map(Object.entries(theirs)) };
  return planUpdate(await loadProject(root, realDisk()), { ...versions, version: "2.0.0", labels }, realDisk());
}

it("copies no text of a file to which a link leads", async () => {
  symlinkSync("../outside/secret", join(root, "Dockerfile"));
  symlinkSync("own.txt", join(root, "linked.txt"));
  writeFileSync(join(root, "own.txt"), "1\n");
  const files = (text: string) => ({ Dockerfile: text, "linked.txt": text });
  const { plan, notes } = await planOf(files("1\n"), files("2\n"));
  await applyPlan(plan, realDisk());
  expect(notes.map(({ path }) => path)).toEqual(["Dockerfile"]);
  expect(lstatSync(join(root, "Dockerfile")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(top, "outside/secret"), "utf8")).toBe("password\n");
  expect(readFileSync(join(root, "linked.txt"), "utf8")).toBe("2\n");
});

it.each(["../outside/new", "linked/new", "/etc/tsop"])("writes no file %s", async (path) => {
  symlinkSync("../outside", join(root, "linked"));
  const { plan } = await planOf({}, { [path]: "evil\n", "main.ts": "fine\n" });
  await expect(applyPlan(plan, realDisk())).rejects.toMatchObject({ code: "TSOP_OUTSIDE" });
  expect(await realDisk().list(top)).toEqual(["outside/secret", "project/PROJECT", "project/linked"]);
});
