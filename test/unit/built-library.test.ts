import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";

const dist = new URL("../../dist/", import.meta.url);
const library = new URL("index.js", dist).href;

it("loads no more of Node than it uses, although some of Node's modules export more than they have loaded", async () => {
  const program = `await import(${JSON.stringify(library)}); console.log(process.moduleLoadList.join("\\n"))`;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd });
  const loaded = stdout.split("\n");
  expect(loaded).toContain("NativeModule http");
  expect(loaded.filter((name) => /undici|worker_threads|webcrypto|parse_args/.test(name))).toEqual([]);
});

it("changes no flags of V8, which belong to the user's process", () => {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => /\.c?js$/.test(file));
  const programs = [...files.map((file) => new URL(file, dist)), new URL("../../bin/load-tool.js", import.meta.url)];
  expect(programs.length).toBeGreaterThan(30);
  expect(programs.filter((file) => readFileSync(file, "utf8").includes("setFlagsFromString"))).toEqual([]);
});

it("can be required by CommonJS, as it has no top-level await", async () => {
  const entries = ["index.js", "client-node.js", "yaml.js", "testing/index.js", "codegen/index.js", "k8s/apps/v1.js"];
  const files = entries.map((entry) => fileURLToPath(new URL(entry, dist)));
  const program = `for (const file of ${JSON.stringify(files)}) console.log(Object.keys(require(file)).length > 0)`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program]);
  expect(stdout).toBe("true\n".repeat(entries.length));
});

it("imports packages whose name only a variable has in a way that webpack leaves alone", () => {
  const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
  const imports = files.flatMap((file) => readFileSync(new URL(file, dist), "utf8").match(/import\([^)]*\)/g) ?? []);
  expect(imports.filter((text) => !text.includes('"'))).toEqual([
    "import(\n      /* webpackIgnore: true */\n      name\n    )",
  ]);
});

it("has no import.meta, which code that was transformed to CommonJS lacks", () => {
  const modules = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  expect(modules.length).toBeGreaterThan(30);
  const read = (file: string) => readFileSync(new URL(file, dist), "utf8");
  expect(modules.filter((file) => parseSync(file, read(file)).module.importMetas.length > 0)).toEqual([]);
});
