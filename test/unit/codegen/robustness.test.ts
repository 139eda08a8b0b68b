import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { customResourceDefinition } from "../../../src/codegen/generate-crds.ts";
import { generate, loadProjectTypes } from "../../../src/codegen/run-generators.ts";
import { DiagnosticsError } from "../../../src/errors/diagnostic.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";

const real = readFileSync(new URL("differential/cases/cronjob/ts/api/v1/backup_types.ts", import.meta.url), "utf8");
const group = "// +groupName=example.com\n";

function diskWith(text: string): ReturnType<typeof memoryDisk> {
  return memoryDisk({ "/p/api/v1/types.ts": text, "/p/api/v1/group.ts": group });
}

function planOf(text: string): ReturnType<typeof generate> {
  return generate({ root: "/p", disk: diskWith(text), outputs: ["crd", "rbac", "webhook", "kinds"], version: "1" });
}

describe("types whose schema grows with the power of their depth", () => {
  const nested = (declare: (n: number) => string, last: string, spec: string): string =>
    [
      'import type { ObjectMeta } from "tsop";',
      ...Array.from({ length: 24 }, (_, n) => declare(n)),
      last,
      "// +kubebuilder:object:root=true",
      `export interface Foo { metadata: ObjectMeta; spec: ${spec} }`,
    ].join("\n");
  it.each([
    [
      "interfaces",
      nested(
        (n) => `export interface T${n} { a: T${n + 1}; b: T${n + 1} }`,
        "export interface T24 { x: string }",
        "T0",
      ),
      "T8",
      10,
    ],
    [
      "aliases",
      nested(
        (n) => `export type T${n} = { a: T${n + 1}[]; b?: T${n + 1} };`,
        "export interface T24 { x: string }",
        "T0",
      ),
      "T9",
      11,
    ],
    [
      "documented uses",
      nested(
        (n) => `export interface T${n} { /** One. */ a: T${n + 1}; /** Two. */ b: T${n + 1} }`,
        "export interface T24 { x: string }",
        "T0",
      ),
      "T8",
      10,
    ],
    [
      "generics",
      nested(
        (n) => `export interface T${n}<X> { a: T${n + 1}<X[]>; b: T${n + 1}<X | null> }`,
        "export interface T24<X> { x: string }",
        "T0<string>",
      ),
      "T",
      undefined,
    ],
  ])(
    "%s: are an error that names the type",
    async (_, text, name, line) => {
      const error: unknown = await planOf(text).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(DiagnosticsError);
      expect((error as DiagnosticsError).diagnostics).toEqual([
        expect.objectContaining({
          code: "TSOP_TYPE_LARGE",
          file: "api/v1/types.ts",
          line: line ?? expect.any(Number),
          message: expect.stringMatching(new RegExp(`^${name}[0-9]*: `)),
        }),
      ]);
    },
    20_000,
  );
});

describe("random sources", () => {
  it("yield files, or diagnostics with a position", async () => {
    const random = randomBelow(3);
    const pieces = ["// +", "type ", "\n", ...'{ } ( < > | & ; : ? */ /** // = " ` é'.split(" ")];
    const until = performance.now() + 1000;
    for (let round = 0; round < 300 && performance.now() < until; round++) {
      let text = real;
      for (let edit = random(3); edit >= 0; edit--) {
        const at = random(text.length);
        text = text.slice(0, at) + pieces[random(pieces.length)] + text.slice(at + random(12));
      }
      try {
        await planOf(text);
      } catch (error) {
        expect(error).toBeInstanceOf(DiagnosticsError);
        for (const { file, line, column } of (error as DiagnosticsError).diagnostics) {
          expect(file).toMatch(/^api\/v1\/(types|group)\.ts$/);
          const lines = (file.endsWith("group.ts") ? group : text).split("\n");
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
        }
      }
    }
  });

  it("yield the same bytes twice, and YAML that parses to the model", async () => {
    const until = performance.now() + 1000;
    for (let seed = 1; seed < 200 && performance.now() < until; seed++) {
      const random = randomBelow(seed);
      const text = `import type * as tsop from "tsop";
        /** +kubebuilder:object:root=true */
        export interface Sample { metadata: tsop.ObjectMeta; spec: ${randomObject(random, 4)} }`;
      const [first, second] = [await planOf(text), await planOf(text)];
      expect(second.plan).toEqual(first.plan);
      const change = first.plan.changes.find(({ path }) => path.endsWith(".yaml"));
      const { resources } = await loadProjectTypes({ root: "/p", disk: diskWith(text) });
      const model = JSON.parse(JSON.stringify(resources.map((resource) => customResourceDefinition(resource, "1"))));
      expect([load(change && "text" in change ? change.text : "")]).toEqual(model);
    }
  });
});

function randomObject(random: (below: number) => number, depth: number): string {
  const names = ["a", "bC", "n", "y", "true", "x1", "x10", '"with-dash"', "_u"];
  const fields = names.slice(0, 1 + random(names.length)).map((name) => {
    const doc = random(2) ? `/** ${["yes", "a: b", "# x", "long ".repeat(30), "'q'", "1.5"][random(6)]} */ ` : "";
    return `${doc}${name}${random(2) ? "?" : ""}: ${randomType(random, depth - 1)};`;
  });
  return `{ ${fields.join(" ")} }`;
}

function randomType(random: (below: number) => number, depth: number): string {
  const scalars = [
    "string",
    "number",
    "boolean",
    '"on" | "off"',
    "1 | 2",
    "tsop.Quantity",
    "tsop.Time",
    "tsop.Condition",
  ];
  if (depth <= 0) return scalars[random(scalars.length)] ?? "string";
  const inner = randomType(random, depth - 1);
  const types = [
    inner,
    `(${inner})[]`,
    `Record<string, ${inner}>`,
    `(${inner}) | null`,
    randomObject(random, depth - 1),
  ];
  return types[random(types.length)] ?? inner;
}

function randomBelow(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}
