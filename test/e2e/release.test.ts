import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mustRun, repository, run, temporaryFolder, type Finished } from "./shell.ts";

// The package as build/release.mjs packs it. TSOP_NODES may name further programs of Node, separated as in PATH.
const nodes = [process.execPath, ...(process.env["TSOP_NODES"]?.split(delimiter) ?? [])];
const folder = temporaryFolder("release");
const checkout = join(folder.path, "package");

const { version, dependencies: installed } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  version: string;
  dependencies: object;
};

/** Runs the script in a copy of the files that it reads, with a changelog that begins as given. */
function release(title: string, env: Record<string, string> = {}): Promise<Finished> {
  writeFileSync(join(checkout, "CHANGELOG.md"), `# Changelog\n\n## ${title}\n`);
  const args = [join(repository, "build/release.mjs"), "--dry-run", "--ignore-scripts"];
  const clean = { GITHUB_ACTIONS: "", GITHUB_REPOSITORY: "", GITHUB_REF_NAME: `v${version}` };
  return run(process.execPath, args, { cwd: checkout, env: { ...clean, ...env } });
}

beforeAll(async () => {
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder.path];
  const packed = await mustRun("npm", pack, { cwd: repository });
  await mustRun("tar", ["-xzf", join(folder.path, packed.trim()), "-C", folder.path], { cwd: folder.path });
  cpSync(join(repository, "build/create-tsop"), join(checkout, "build/create-tsop"), { recursive: true });
});
afterAll(() => folder.remove());

describe("a release", () => {
  it("is packed with its version, and leaves package.json as it was", async () => {
    const before = readFileSync(join(checkout, "package.json"), "utf8");
    const { code, stdout, stderr } = await release(`${version} (2026-11-23)`);
    expect(`${stdout}${stderr}`).toContain(`tsop-${version}.tgz`);
    expect(code).toBe(0);
    expect(readFileSync(join(checkout, "package.json"), "utf8")).toBe(before);
  });

  it("comes with a package of the same version for npm create", async () => {
    const { code, stdout, stderr } = await release(`${version} (2026-11-23)`);
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`).toContain(`create-tsop-${version}.tgz`);
    const project = join(folder.path, "created");
    const modules = join(project, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(repository, join(modules, "tsop"));
    cpSync(join(repository, "build/create-tsop"), join(modules, "create-tsop"), { recursive: true });
    const args = [join(modules, "create-tsop/create-tsop.js"), "--domain", "example.com", "--skip-install"];
    await mustRun(process.execPath, args, { cwd: project });
    expect(readFileSync(join(project, "PROJECT"), "utf8")).toContain("projectName: created");
  });

  it("contains the program and none of its build files", async () => {
    const json = await mustRun("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: repository });
    const [{ files }] = JSON.parse(json) as [{ files: { path: string }[] }];
    const folders = new Set(files.map(({ path }) => path.split("/")[0]));
    expect([...folders].sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "docs", "package.json", "src"]);
    expect(files.filter(({ path }) => path.startsWith("src/") && !path.endsWith(".json"))).toEqual([]);
  });

  it("contains the list of the packages in its code", () => {
    const text = readFileSync(join(checkout, "dist/sbom.cdx.json"), "utf8");
    const { components } = JSON.parse(text) as { components: { name: string; purl: string }[] };
    const licenses = readFileSync(join(checkout, "dist/LICENSES.txt"), "utf8");
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["commander", "fflate", "js-yaml", "oxc-parser", "preact"]));
    for (const name of names) expect(licenses.includes(`\n${name}\n\n`) || name in installed, name).toBe(true);
  });

  it.each([
    [`${version} (unreleased)`, {}, "no date"],
    ["0.0.9 (2026-11-23)", {}, "the first version in CHANGELOG.md is 0.0.9"],
    [`${version} (2026-11-23)`, { GITHUB_REF_NAME: "v0.0.9" }, "the tag is v0.0.9"],
  ])("is rejected with the title %s and %o: %s", async (title, env, reason) => {
    const { code, stderr } = await release(title, env);
    expect(stderr).toContain(`not packed: `);
    expect(stderr).toContain(reason);
    expect(code).toBe(1);
  });

  it("waits until the entries in changes/ are in the changelog, which a script moves", async () => {
    mkdirSync(join(checkout, "changes"));
    writeFileSync(join(checkout, "changes/tool-plan.md"), "- `tsop plan` plans.\n");
    writeFileSync(join(checkout, "changes/library-queue.md"), "- Queues are fair.\n");
    const title = `${version} (2026-11-23)`;
    expect((await release(title)).stderr).toContain("CHANGELOG.md lacks library-queue.md,tool-plan.md");
    await mustRun(process.execPath, [join(repository, "build/collect-changes.mjs"), "9.0.0"], { cwd: checkout });
    const tool = "### The tool\n\n- `tsop plan` plans.\n";
    const library = "### The library\n\n- Queues are fair.\n";
    const text = `# Changelog\n\n## 9.0.0 (unreleased)\n\n${tool}\n${library}\n## ${title}\n`;
    expect(readFileSync(join(checkout, "CHANGELOG.md"), "utf8")).toBe(text);
    expect((await release(title)).code).toBe(0);
  });
});

describe.each(nodes)("the published package on %s", (node) => {
  it("starts a project in an empty folder that depends on it by version", { timeout: 180_000 }, async () => {
    const published = join(folder.path, "published");
    mkdirSync(published, { recursive: true });
    const { private: _, ...manifest } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as object & {
      private: true;
    };
    await mustRun("cp", ["-r", `${checkout}/.`, published], { cwd: folder.path });
    writeFileSync(join(published, "package.json"), JSON.stringify(manifest));
    const name = await mustRun("npm", ["pack", "--ignore-scripts", "--silent"], { cwd: published });
    const project = join(folder.path, `project-${nodes.indexOf(node)}`);
    mkdirSync(project);
    const env = { PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}` };
    const npx = ["--yes", "--package", `file:${join(published, name.trim())}`, "--", "tsop"];
    await mustRun("npx", [...npx, "init", "--domain", "example.com", "--skip-install"], { cwd: project, env });
    const api = ["create", "api", "--group", "cache", "--kind", "Memcached", "--controller", "--resource"];
    await mustRun("npx", [...npx, ...api], { cwd: project, env });
    const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
      dependencies: object;
    };
    expect(dependencies).toEqual({ tsop: `^${version}` });
    expect(readFileSync(join(project, "config/crd/bases/cache.example.com_memcacheds.yaml"), "utf8")).toContain(
      "Memcached",
    );
  });
});
