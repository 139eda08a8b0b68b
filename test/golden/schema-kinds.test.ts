import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runNode } from "./run-node.ts";
import { linkPackages } from "./scenarios.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

// A project whose kind comes from a schema: the module is bundled and evaluated in a process of its own.
const folder = temporaryFolder();
const tsop = (...args: string[]) => runNode("../bin/tsop.js", args, folder);
const sources = "api/v1alpha1";
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

/** What a library that follows Standard JSON Schema returns. */
const library = `export const object = (properties: object, required: string[] = []) => ({
  "~standard": {
    jsonSchema: { input: ({ target }: { target: string }) => ({ $comment: target, type: "object", properties, required }) },
  },
});
`;
const schema = (size: string): string => `import { kindOf } from "tsop";
import { object } from "../../library.ts";

console.log("a module may print, and have timers");
setInterval(() => {}, 1000);

/**
 * A cache.
 *
 * +kubebuilder:object:root=true
 */
export const Memcached = kindOf(object({ spec: { type: "object", properties: { size: ${size} } } }, ["spec"]));
`;

beforeAll(async () => {
  linkPackages(folder);
  const init = ["--domain", "example.com", "--project-name", "demo", "--skip-install", "--tsop", "^0.1.0"];
  expect(await tsop("init", ...init)).toMatchObject({ code: 0 });
  const api = ["--group", "cache", "--kind", "Memcached", "--controller=false", "--make=false"];
  expect(await tsop("create", "api", ...api)).toMatchObject({ code: 0 });
  mkdirSync(join(folder, sources), { recursive: true });
  write("library.ts", library);
  write(`${sources}/memcached_schema.ts`, schema('{ type: "integer", minimum: 1 }'));
});

it("does not overwrite types that the author wrote", async () => {
  const { code, output } = await tsop("generate", "manifests");
  expect([code, output]).toEqual([1, expect.stringContaining("memcached_types.ts  [TSOP_FILES_EXIST]")]);
  rmSync(join(folder, sources, "memcached_types.ts"));
});

it("generates types, CRD and code from the schema, and code that compiles", async () => {
  expect(await tsop("generate", "manifests")).toMatchObject({ code: 0 });
  expect(read("config/crd/bases/cache.example.com_memcacheds.yaml")).toContain("minimum: 1");
  expect(read(`${sources}/memcached_types.ts`)).toContain("    size?: number & Min<1>;\n");
  expect(await tsop("generate", "code")).toMatchObject({ code: 0 });
  expect(await tsop("generate", "code", "--check")).toMatchObject({ code: 0 });
  write(
    "use.ts",
    `import type { Memcached } from "./${sources}/zz_generated.kinds.ts";
export const sizeOf = ({ spec }: Memcached): number => spec.size ?? 1;
`,
  );
  expect(await runNode("typescript/bin/tsc", [], folder)).toEqual({ code: 0, output: "" });
});

it.each([
  ["a schema that cannot be evaluated", 'missing("x")', "can't be evaluated: ReferenceError: missing is not defined"],
  ["what no CRD expresses", "{ not: {} }", "Memcached.spec.size, which has not: write a rule"],
  [
    "what the generators refuse, in the place of the schema",
    '{ allOf: [{ type: "string" }, { type: "integer" }] }',
    "memcached_schema.ts:12:1: error: Memcached.spec.size",
  ],
])("refuses %s, and writes nothing", async (_what, size, message) => {
  const types = read(`${sources}/memcached_types.ts`);
  write(`${sources}/memcached_schema.ts`, schema(size));
  const { code, output } = await tsop("generate", "code");
  expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  expect(read(`${sources}/memcached_types.ts`)).toBe(types);
});
