import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { generate } from "../../src/codegen/run-generators.ts";
import { applyPlan } from "../../src/files/apply.ts";
import { realDisk } from "../../src/files/real-disk.ts";
import { enterProject, runNode } from "./run-node.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// Every ```ts block of a page is a module of that page's own project, which begins as the API of the Memcached example.
// A block that starts with `// some/path.ts` is that file; the others are files of controllers/. `ts ignore: <reason>`
// marks code that cannot be compiled.

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "examples/memcached-operator");
const isPage = (file: string): boolean => file.endsWith(".md");
const pages = ["README.md", ...(await readdir(join(root, "docs"))).filter(isPage).map((file) => `docs/${file}`)];

/** The entries of the package in this checkout, the longest name first. */
const entries = [
  ["tsop/client-node", "src/client-node.ts"],
  ["tsop/yaml", "src/yaml.ts"],
  ["tsop/testing", "src/testing/index.ts"],
  ["tsop/codegen", "src/codegen/index.ts"],
  ["tsop/k8s/*", "src/k8s/*.ts"],
  ["tsop", "src/index.ts"],
] as const;
const isTest = /^\/\/ \S+\.test\.ts\n/;

const folder = temporaryFolder();
beforeAll(async () => {
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(await configuration()));
  await writeFile(join(folder, "vitest.config.js"), vitestConfig());
  await writeFile(join(folder, "enter-project.js"), enterProject);
  for (const page of pages) await makeProject(page);
});

describe("examples in the documentation", () => {
  it.each(pages)("%s has markers and types that generate output", async (page) => {
    const project = projectOf(page);
    const outputs = ["crd", "rbac", "webhook", "kinds"] as const;
    const { plan, warnings } = await generate({ root: project, disk: realDisk(), outputs, version: "docs" });
    await applyPlan(plan, realDisk());
    // A page may get advice about a CRD, such as its size, or about what a cache holds; any other warning fails.
    expect(warnings.filter(({ code }) => !["TSOP_CRD_ADVICE", "TSOP_CACHE_HOLDS_ALL"].includes(code))).toEqual([]);
  });

  it("compile", async () => {
    expect(await runNode("typescript/bin/tsc", ["-p", folder], folder)).toEqual({ code: 0, output: "" });
  });

  it("show passing tests", { timeout: 400_000 }, async () => {
    const shown = (await Promise.all(pages.map(blocksOf))).flat().filter(({ code }) => isTest.test(code));
    const { code, output } = await runNode("vitest/vitest.mjs", ["run", "--no-color"], folder);
    expect(code, output).toBe(0);
    expect(output).toMatch(new RegExp(`Test Files +${shown.length} passed`));
  });

  it("show webhooks/suite.ts as in a project", async () => {
    const template = await readFile(join(root, "templates/create-webhook/webhooks/suite.ts.hbs"), "utf8");
    const shown = (await blocksOf("docs/webhooks.md")).map(({ code }) => code);
    expect(shown).toContain(template.replace("{{header}}", "// webhooks/suite.ts\n"));
  });

  it.each(pages)("%s gives a reason for each example that is not compiled", async (page) => {
    const fences = (await blocksOf(page)).map(({ info }) => info).filter((info) => info !== "ts");
    expect(fences.filter((info) => !/^ts ignore: \S/.test(info))).toEqual([]);
  });
});

interface Block {
  readonly info: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), "utf8");
  return [...text.matchAll(/^```(ts\b.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info = "", 2: code = "", index }) => ({
    info,
    code,
    line: text.slice(0, index).split("\n").length,
  }));
}

async function makeProject(page: string): Promise<void> {
  const project = projectOf(page);
  await cp(join(example, "api"), join(project, "api"), { recursive: true });
  await mkdir(join(project, "config/crd"), { recursive: true });
  const kustomization = "resources:\n- bases/cache.example.com_memcacheds.yaml\n";
  await writeFile(join(project, "config/crd/kustomization.yaml"), kustomization);
  for (const { info, code, line } of await blocksOf(page)) {
    if (info !== "ts") continue;
    const path = join(project, /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `controllers/line-${line}.ts`);
    await mkdir(dirname(path), { recursive: true });
    // The line of an error is the line of the page.
    await writeFile(path, "\n".repeat(line) + code);
  }
}

/** Returns the configuration for the tests of all pages: in one process, which imports the package once. */
function vitestConfig(): string {
  const alias = entries.map(([name, source]) => ({
    find: name.replace("/*", ""),
    replacement: join(root, source.replace("/*.ts", "")),
  }));
  const limits = { testTimeout: 100_000, hookTimeout: 100_000 };
  const test = { ...limits, isolate: false, maxWorkers: 1, setupFiles: ["enter-project.js"] };
  return `export default ${JSON.stringify({ resolve: { alias }, test })};`;
}

function projectOf(page: string): string {
  return join(folder, basename(page, ".md"));
}

/**
 * Returns the compiler options of a generated project, one for code that Node runs without a build, one that the sources
 * of this checkout need, and their paths.
 */
async function configuration(): Promise<object> {
  const { compilerOptions } = JSON.parse(await readFile(join(example, "tsconfig.json"), "utf8")) as {
    compilerOptions: object;
  };
  const paths = Object.fromEntries(entries.map(([name, source]) => [name, [join(root, source)]]));
  const options = { ...compilerOptions, erasableSyntaxOnly: true, exactOptionalPropertyTypes: true, paths };
  // The sources are compiled with the pages, so the declarations of their modules are included.
  const declarations = join(root, "src/runtime/metrics/prom-client-parts.d.ts");
  return { compilerOptions: options, include: ["*/**/*.ts", declarations], exclude: ["node_modules"] };
}
