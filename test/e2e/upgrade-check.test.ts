import { cpSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram, linkPackages, mustRun, repository, run, temporaryFolder } from "./shell.ts";

const withoutGit = findProgram("git") ? "" : " (git is not installed)";
const identity = ["-c", "user.name=Author", "-c", "user.email=author@example.com", "-c", "commit.gpgsign=false"];

/** An example in a folder of a larger repository, with a tag for its first version. */
describe.skipIf(withoutGit !== "")(`tsop check --upgrade-from${withoutGit}`, () => {
  const folder = temporaryFolder("upgrade");
  const project = join(folder.path, "operators/memcached-operator");
  const git = (...args: string[]) => mustRun("git", [...identity, ...args], { cwd: folder.path });
  const check = (...args: string[]) =>
    run(process.execPath, [join(repository, "bin/tsop.js"), "check", ...args], { cwd: project });
  const edit = async (file: string, from: RegExp, to: string) => {
    const text = await readFile(join(project, file), "utf8");
    expect(text).toMatch(from);
    await writeFile(join(project, file), text.replace(from, to));
  };

  beforeAll(async () => {
    cpSync(join(repository, "examples/memcached-operator"), project, {
      recursive: true,
      filter: (path) => !/node_modules|\.tsop/.test(path),
    });
    linkPackages(project);
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "--message", "The first version");
    await git("tag", "v1.0.0");
  });
  afterAll(() => folder.remove());

  it("finds nothing if nothing changes", async () => {
    const { code, stdout, stderr } = await check("--upgrade-from", "v1.0.0", "--only", "upgrade,rollback");
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^3 runs with faults, \d+ s: no finding\n$/m);
    expect(stderr).not.toContain("restarts pods");
  });

  it("upgrades to a version with webhooks, which cannot be rolled back", async () => {
    const flags = "--group cache --version v1alpha1 --kind Memcached --defaulting --programmatic-validation";
    const args = [join(repository, "bin/tsop.js"), "create", "webhook", ...flags.split(" ")];
    await mustRun(process.execPath, args, { cwd: project });
    const { code, stdout, stderr } = await check("--upgrade-from", "v1.0.0", "--only", "upgrade,rollback");
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^1 run with faults, \d+ s: no finding\n$/m);
    await git("reset", "--quiet", "--hard");
    await git("clean", "--quiet", "--force", "-d");
  });

  it("names restarts of pods and changes of the API", async () => {
    await edit("api/v1alpha1/memcached_types.ts", /Maximum=65535/, "Maximum=20000");
    await edit("config/manager/manager.yaml", /memcached:1\.6-alpine/, "memcached:1.7-alpine");
    const { code, stdout, stderr } = await check("--upgrade-from", "v1.0.0", "--only", "upgrade,rollback");
    expect(code, stderr).toBe(1);
    expect(stdout).toContain("upgrade: memcacheds.cache.example.com v1alpha1 refuses objects");
    expect(stdout).toMatch(/spec\.containerPort: maximum 65535 → 20000\.$/m);
    // The two versions of a rolling update elect a leader, as config/manager says.
    expect(stderr).toContain("error: 1 finding in the operator");
    expect(stderr).toContain(
      "restarts pods: the upgrade changes apps/deployments default/memcached-sample: spec.template",
    );
  });

  it("finds samples that the newer version refuses", async () => {
    await edit("api/v1alpha1/memcached_types.ts", /Maximum=3/, "Maximum=2");
    await edit("config/samples/cache_v1alpha1_memcached.yaml", /size: 3/, "size: 2");
    const { code, stdout, stderr } = await check("--upgrade-from", "v1.0.0", "--only", "upgrade");
    expect(code, stderr).toBe(1);
    expect(stdout).toContain("upgrade: The newer version refuses what users have: ");
  });

  it("refuses a revision that does not exist", async () => {
    const { code, stderr } = await check("--upgrade-from", "v0.9.0");
    expect(code).toBe(1);
    expect(stderr).toContain("the revision v0.9.0 of the project can't be checked out: ");
    expect(stderr).toContain("TSOP_CHECK_REVISION");
  });
});
