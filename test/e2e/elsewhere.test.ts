import { cpSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { mustRun, repository, temporaryFolder } from "./shell.ts";

const folder = temporaryFolder("elsewhere");
afterAll(() => folder.remove());

// A colleague or CI with a project of an unpublished tsop, which brings its own copy in vendor/.
it("a project from a checkout works after npm ci in a copy in another folder", async () => {
  const [project, clone] = ["memcached-operator", "clone"].map((name) => join(folder.path, name));
  mkdirSync(project!);
  const tsop = (...args: string[]) =>
    mustRun(process.execPath, [join(repository, "bin/tsop.js"), ...args], { cwd: project! });
  await tsop("init", "--domain", "example.com");
  await tsop("create", "api", "--group", "cache", "--kind", "Memcached");
  await tsop("create", "webhook", "--group", "cache", "--kind", "Memcached", "--defaulting");
  cpSync(project!, clone!, { recursive: true, filter: (path) => basename(path) !== "node_modules" });

  rmSync(project!, { recursive: true });
  await mustRun("npm", ["ci", "--prefer-offline"], { cwd: clone! });
  for (const script of ["build", "test", "lint", "typecheck"]) await mustRun("npm", ["run", script], { cwd: clone! });
  expect(await mustRun("npm", ["start", "--silent", "--", "--help"], { cwd: clone! })).toContain("--leader-elect");
  expect(await mustRun("npx", ["--no-install", "tsop", "generate", "manifests", "--check"], { cwd: clone! })).toBe("");
});
