import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { realIo } from "../../src/cli/terminal/real-io.ts";
import { main } from "../../src/cli/main.ts";
import { isRelease } from "../is-release.ts";
import { enterProject } from "./run-node.ts";
import { filesBelow, linkPackages, runScenario, scenarios } from "./scenarios.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const io = realIo();
const execute = promisify(execFile);

// One folder with the packages, above all projects: each copy of tsop would take longer than a compilation.
const root = temporaryFolder();
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
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(root, "tsconfig.json"), read("minimal", "tsconfig.json"));
  writeFileSync(join(root, "vitest.config.js"), vitestConfig);
  writeFileSync(join(root, "enter-project.js"), enterProject);
});

const read = (name: string, path: string): string => readFileSync(join(root, name, path), "utf8");

/** The tests of all projects, in processes that import the packages once. */
const vitestConfig = `import config from "./minimal/vitest.config.ts";

const { name, include, exclude, ...limits } = config.test.projects[0].test;
export default {
  test: {
    ...limits,
    include: include.map((path) => "*/" + path),
    exclude: exclude.map((path) => "**/" + path),
    isolate: false,
    maxWorkers: 2,
    setupFiles: ["enter-project.js"],
  },
};
`;
it("writes projects that are formatted and pass the lint", async () => {
  await run(root, "prettier", "--check", "*/**/*.ts");
  await run(root, "oxlint", "--type-aware", "--deny-warnings", ...scenarios);
});

// What the projects have in common, as one: their compilers and test runners take longer to start than to work.
describe("all projects", () => {
  it.each(["tsconfig.json", "vitest.config.ts"])("have the same %s", (path) => {
    for (const name of scenarios) expect(read(name, path), name).toBe(read("minimal", path));
  });

  it("have code that compiles, and that Node can run without a build", () => run(root, "tsc", "--erasableSyntaxOnly"));

  it("pass their own tests", async () => {
    const options = { cwd: root, env: { ...process.env, KUBEBUILDER_ASSETS: "" }, maxBuffer: 2 ** 24 };
    const tests = execute(join(programs, "vitest"), ["run", "--reporter=json"], options);
    const { stdout } = await tests.catch((failure: { stdout: string }) => failure);
    const { testResults } = JSON.parse(stdout) as { testResults: { name: string; status: string }[] };
    expect(testResults.filter(({ status }) => status !== "passed")).toEqual([]);
    const files = scenarios.flatMap((name) =>
      filesBelow(join(root, name))
        .filter((path) => path.endsWith(".test.ts") && !path.startsWith("test/e2e/"))
        .map((path) => join(name, path)),
    );
    expect(testResults.map(({ name }) => relative(root, name)).toSorted()).toEqual(files.toSorted());
  });
});

describe.each(scenarios)("%s", (name: string) => {
  const folder = join(root, name);

  it("bundles", async () => {
    const { scripts } = JSON.parse(read(name, "package.json")) as { scripts: { build: string } };
    const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` };
    await execute(scripts.build, { cwd: folder, shell: true, env });
    expect(readdirSync(join(folder, "bin"))).toContain("main.mjs");
  });

  if (assets && isRelease && onRealServer.has(name))
    it("passes its own tests on a real API server", () => runTests(folder, assets));
});
