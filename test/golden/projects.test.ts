import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realIo } from "../../src/cli/terminal/real-io.ts";
import { main } from "../../src/cli/main.ts";
import { isRelease } from "../is-release.ts";
import { linkPackages, runScenario, scenarios } from "./scenarios.mjs";

const io = realIo();
const execute = promisify(execFile);

// One folder with the packages, above all projects: each copy of tsop would take longer than a compilation.
const root = mkdtempSync(join(tmpdir(), "tsop-golden-"));
const programs = join(root, "node_modules/.bin");
const run = (folder: string, program: string, ...args: string[]): Promise<unknown> =>
  execute(join(programs, program), args, { cwd: folder });

const assets = process.env["KUBEBUILDER_ASSETS"];
/** Without isolation, which takes twice the time for five files and hides what one leaves for the next. */
const runTests = (folder: string, KUBEBUILDER_ASSETS: string): Promise<unknown> =>
  execute(join(programs, "vitest"), ["run", "--project", "unit", "--no-isolate"], {
    cwd: folder,
    env: { ...process.env, KUBEBUILDER_ASSETS },
  });
/** The other templates of tests run on a real server in test/e2e/journey.test.ts. */
const onRealServer = new Set(["deploy-image", "foreign-kinds", "ssa"]);

beforeAll(async () => {
  linkPackages(root);
  for (const name of scenarios) {
    mkdirSync(join(root, name));
    await runScenario(name, join(root, name), main, io);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

it("writes projects that are formatted and pass the lint", async () => {
  await run(root, "prettier", "--check", "**/*.ts");
  await run(root, "oxlint", "--type-aware", "--deny-warnings", ...scenarios);
});

// In parallel: most of the time is spent waiting for programs.
describe.concurrent.each(scenarios)("%s", (name: string) => {
  const folder = join(root, name);

  describe.sequential("as a project", () => {
    it("has code that compiles, and that Node can run without a build", () =>
      run(folder, "tsc", "--erasableSyntaxOnly"));

    it("bundles", async () => {
      const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        scripts: { build: string };
      };
      const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` };
      await execute(scripts.build, { cwd: folder, shell: true, env });
      expect(readdirSync(join(folder, "bin"))).toContain("main.mjs");
    });

    it("passes its own tests", () => runTests(folder, ""));

    if (assets && isRelease && onRealServer.has(name))
      it("passes its own tests on a real API server", () => runTests(folder, assets));
  });
});
