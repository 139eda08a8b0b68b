import { describe, expect, it } from "vitest";
import { loadProjectTypes } from "../../../src/codegen/run-generators.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";

const kind = (imports: string, spec: string): string => `
// +groupName=example.com
${imports}

/** +kubebuilder:object:root=true */
export interface Sample { metadata: import("tsop").ObjectMeta; spec: ${spec} }
`;

async function specOf(files: Record<string, string>): Promise<unknown> {
  const disk = memoryDisk(Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text])));
  const { kinds } = await loadProjectTypes({ root: "/p", disk });
  return kinds[0]?.schema.properties?.["spec"];
}

const text = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

describe("imports of API types", () => {
  it("follow the paths of a tsconfig.json with comments", async () => {
    const files = {
      "tsconfig.json":
        '{ // comment\n "compilerOptions": { "baseUrl": "./src", "paths": { "@shared/*": ["shared/*"], "one": ["one.ts"], }, }, }',
      "src/shared/a.ts": "export interface A { a: string }",
      "src/one.ts": 'export type { A as One } from "@shared/a";',
    };
    expect(await specOf({ ...files, "api/v1/t.ts": kind('import type { A } from "@shared/a.js";', "A") })).toEqual(
      text,
    );
    expect(await specOf({ ...files, "api/v1/t.ts": kind('import type { One } from "one";', "One") })).toEqual(text);
  });

  it.each([
    ["the paths of a tsconfig.json that another one extends", "@acme/shared"],
    ["a relative path", "../../../../libs/shared/index.js"],
    ["a path that TypeScript places at the project", "here/libs/shared"],
    ["the imports of package.json", "#shared/index.ts"],
    ["a path of tsconfig.json, or else as a package", "other/shared"],
  ])("lead out of the project by %s", async (_how, specifier) => {
    const disk = memoryDisk({
      "/repo/tsconfig.base.json":
        '{ "compilerOptions": { "paths": { "@acme/*": ["./libs/*"], "here/*": ["${configDir}/../../*"], "other/*": ["./gone/*"] } } }',
      "/repo/libs/shared/index.ts": 'export type { A } from "./a.ts";',
      "/repo/libs/shared/a.ts": "export interface A { a: string }",
      "/repo/node_modules/other/shared.d.ts": "export interface A { a: string }",
      "/repo/node_modules/other/package.json": "{}",
      "/repo/apps/one/tsconfig.strict.json": '{ "extends": ["./tsconfig.json", "../../tsconfig.base"] }',
      "/repo/apps/one/tsconfig.json": '{ "extends": "./tsconfig.strict.json", "compilerOptions": {} }',
      "/repo/apps/one/package.json": '{ "imports": { "#shared/*": { "types": "../../libs/shared/*" } } }',
      "/repo/apps/one/api/v1/t.ts": kind(`import type { A } from "${specifier}";`, "A"),
    });
    const { kinds } = await loadProjectTypes({ root: "/repo/apps/one", disk });
    expect(kinds[0]?.schema.properties?.["spec"]).toEqual(text);
  });

  it("end in errors of their own if a tsconfig.json has values of wrong types, or extends itself", async () => {
    const config = '{ "extends": [5, "./tsconfig.json"], "compilerOptions": { "paths": { "a": "b", "c": [null] } } }';
    const files = { "tsconfig.json": config, "api/v1/t.ts": kind('import type { A } from "c";', "A") };
    await expect(specOf(files)).rejects.toMatchObject({
      diagnostics: [{ message: expect.stringContaining('A in "c"') }],
    });
  });

  it("find a declaration file of the project", async () => {
    const files = { "api/v1/shared.d.ts": "export interface A { a: string }" };
    expect(await specOf({ ...files, "api/v1/t.ts": kind('import type { A } from "./shared.js";', "A") })).toEqual(text);
  });

  it("lead to and from files of the other endings of TypeScript", async () => {
    const files = {
      "api/v1/a.mts": 'export type { A } from "./b.cjs";',
      "api/v1/b.cts": "export interface A { a: string }",
      "api/v1/b.test.mts": "export interface A { broken",
      "api/v1/c.d.cts": "export interface C { broken",
    };
    for (const path of ["api/v1/t.mts", "api/v1/t.cts"]) {
      expect(await specOf({ ...files, [path]: kind('import type { A } from "./a.mjs";', "A") })).toEqual(text);
    }
  });

  it.each([
    ["exports", { exports: { ".": { types: "./lib/main.d.ts", default: "./lib/main.js" } } }, "shared-types"],
    ["nested conditions", { exports: { import: { types: "./lib/main.d.ts" } } }, "shared-types"],
    ["types", { types: "lib/main.d.ts" }, "shared-types"],
    ["main", { main: "lib/main.js" }, "shared-types"],
    ["a subpath", { exports: { "./sub": "./lib/main.js" } }, "shared-types/sub"],
    ["a path", {}, "shared-types/lib/main.js"],
  ])("resolve a package by its %s", async (_how, manifest, specifier) => {
    const spec = await specOf({
      "node_modules/shared-types/package.json": JSON.stringify(manifest),
      "node_modules/shared-types/lib/main.d.ts": 'export * from "./deep.js";\n// +kubebuilder:unknown\n',
      "node_modules/shared-types/lib/deep.d.ts":
        'import { Int32 } from "tsop";\nexport interface A { a: string; b?: Int32 }',
      "api/v1/t.ts": kind(`import type { A } from "${specifier}";`, "A"),
    });
    expect(spec).toEqual({ ...text, properties: { a: { type: "string" }, b: { type: "integer", format: "int32" } } });
  });

  it("find the packages of a workspace above the project, with their sources, and the packages that these import", async () => {
    const disk = memoryDisk({
      "/repo/node_modules/@acme/shared/package.json": '{ "exports": "./src/index.ts" }',
      "/repo/node_modules/@acme/shared/src/index.ts": 'export * from "./a.js";\nexport type { B } from "inner";',
      "/repo/node_modules/@acme/shared/src/a.ts": "export interface A { a: string }",
      "/repo/node_modules/@acme/shared/node_modules/inner/package.json": '{ "types": "types" }',
      "/repo/node_modules/@acme/shared/node_modules/inner/types/index.d.ts": "export interface B { b: boolean }",
      "/repo/operators/one/api/v1/t.ts": kind('import type { A, B } from "@acme/shared";', "A & B"),
    });
    const { kinds } = await loadProjectTypes({ root: "/repo/operators/one", disk });
    expect(kinds[0]?.schema.properties?.["spec"]).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "boolean" } },
      required: ["a", "b"],
    });
  });

  it("end in an error if a package has no types, or not yet", async () => {
    const files = {
      "node_modules/untyped/package.json": '{ "exports": { "types": "./dist/index.d.ts" } }',
      "api/v1/t.ts": kind('import type { A } from "untyped";\nimport type { B } from "absent";', "{ a: A; b: B }"),
    };
    await expect(specOf(files)).rejects.toMatchObject({
      diagnostics: [
        {
          message: expect.stringContaining('A in "untyped"'),
          hint: expect.stringContaining("no types at node_modules/untyped/dist/index.d.ts: build that package first"),
        },
        { message: expect.stringContaining('B in "absent"'), hint: expect.stringContaining("installed packages") },
      ],
    });
  });

  it("end in an error with the fix for types in a namespace", async () => {
    const files = {
      "api/v1/net.ts": "export namespace Net { export interface Port { port: number } }",
      "api/v1/t.ts": kind('import type { Net } from "./net.js";', "{ a: Net.Port }"),
    };
    const hint = expect.stringContaining("declare Port outside of a namespace");
    await expect(specOf(files)).rejects.toMatchObject({ diagnostics: [{ hint }] });
  });

  it("can form a circle", async () => {
    const files = {
      "api/v1/a.ts": 'export * from "./b.ts";\nexport type { X as Y } from "./b.ts";',
      "api/v1/b.ts": 'export * from "./a.ts";\nexport type { Y as X } from "./a.ts";',
      "api/v1/t.ts": kind('import type { X } from "./a.ts";', "X"),
    };
    await expect(specOf(files)).rejects.toMatchObject({ diagnostics: [{ code: "TSOP_TYPE_UNKNOWN" }] });
  });
});
