import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isRelease } from "../is-release.ts";
import { linkPackages, mustRun, repository, run, temporaryFolder } from "./shell.ts";

const assets = process.env["KUBEBUILDER_ASSETS"];
const examples = readdirSync(join(repository, "examples"));
/** The examples that every run checks; the others have ten times the plans, for a release. */
const quick = new Set(["at-operator", "memcached-operator"]);

/** The operators of the tutorials, in a copy with this tsop and the development tools of this checkout. */
describe.each(examples)("examples/%s", (name) => {
  const folder = temporaryFolder(name);
  const project = join(folder.path, name);
  cpSync(join(repository, "examples", name), project, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  linkPackages(project);
  const npm = (args: string[], env: Record<string, string> = {}) => mustRun("npm", args, { cwd: project, env });
  afterAll(() => folder.remove());

  it("matches the output of the generators", async () => {
    for (const output of ["manifests", "code"]) {
      const args = [join(repository, "bin/tsop.js"), "generate", output, "--check"];
      expect(await run(process.execPath, args, { cwd: project })).toMatchObject({ code: 0 });
    }
  });

  it("compiles, lints and builds", async () => {
    await npm(["run", "typecheck"]);
    await npm(["run", "lint"]);
    await npm(["run", "build"]);
  });

  it("passes its tests on the embedded server", async () => {
    expect(await npm(["test"])).toMatch(/Tests\s+\d+ passed/);
  });

  // tsop check creates custom resources, and an example without kinds of its own has none.
  it.skipIf(!existsSync(join(project, "config/samples")) || !(isRelease || quick.has(name)))(
    "survives being killed around each of its writes, and follows changes of its fields",
    async () => {
      // A class of faults is the same work on every machine. A short budget may end before the first run with a fault.
      // As with `run --local`, the CRDs are those of the types.
      rmSync(join(project, "config/crd/bases"), { recursive: true });
      // A Job's pod template has hundreds of fields to change.
      const classes = isRelease && name !== "cronjob-operator" ? "crash,exploration" : "crash";
      const args = [join(repository, "bin/tsop.js"), "check", "--only", classes];
      const clean = expect.stringMatching(/\d+ s: no finding\n$/) as string;
      const result = await run(process.execPath, args, { cwd: project });
      expect(result).toMatchObject({ code: 0, stdout: "", stderr: clean });
      expect(result.stderr, "its role fits").not.toContain("role: ");
    },
  );

  // Without KUBEBUILDER_ASSETS there is no real API server.
  it.skipIf(!assets || !isRelease)("passes its tests on a real API server", async () => {
    expect(await npm(["test"], { KUBEBUILDER_ASSETS: assets! })).toMatch(/Tests\s+\d+ passed/);
  });
});
