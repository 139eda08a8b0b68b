import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sourceFolders, watchSources } from "../../../src/local/watch-sources.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let root: string;
let stop: AbortController;

beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ["api", ".tsop", "node_modules/a"]) mkdirSync(join(root, folder), { recursive: true });
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
});

const start = (): Promise<AsyncIterator<void>> => watchSources(root, stop.signal);

it("misses no change once it has resolved", async () => {
  const changes = await start();
  writeFileSync(join(root, "api", "a.ts"), "");
  expect(await changes.next()).toEqual({ done: false, value: undefined });
});

it("reports a change in a folder that was created later", async () => {
  const changes = await start();
  mkdirSync(join(root, "controllers"));
  await changes.next();
  const next = changes.next();
  writeFileSync(join(root, "controllers", "a.ts"), "");
  expect(await next).toEqual({ done: false, value: undefined });
});

it("reports a change in a package that a workspace links into the project", async () => {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, "src"));
  symlinkSync(workspace, join(root, "node_modules/shared"));
  writeFileSync(join(root, "package.json"), '{ "dependencies": { "a": "^1.0.0", "shared": "*", "absent": "*" } }');
  const changes = await start();
  writeFileSync(join(workspace, "src", "a.ts"), "");
  expect(await changes.next()).toEqual({ done: false, value: undefined });
});

it("watches sources and configuration, but not packages, hidden folders and output", async () => {
  for (const folder of ["api/v1", "dist", "coverage", "config/crd/bases", ".git"])
    mkdirSync(join(root, folder), { recursive: true });
  const folders = (await sourceFolders(root)).map((folder) => relative(root, folder));
  expect(new Set(folders)).toEqual(new Set(["", "api", "api/v1", "config", "config/crd", "config/crd/bases"]));
});

it("ends with the signal", async () => {
  const changes = await start();
  const next = changes.next();
  stop.abort();
  // A change that was on its way may come first.
  for (let result = await next; !result.done;) result = await changes.next();
});
