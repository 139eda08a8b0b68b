import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { markerReference } from "../../../src/codegen/markers/reference.ts";

// Every marker and every construct has a case: a folder of `cases`, or a package with a Go twin.
const folders = ["cases", "differential/cases"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const texts = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(`${folder}/${path}`, "utf8")),
);
const written = texts.join("\n");

const names = markerReference().flatMap(({ name, items }) => (items ? [name, items] : [name]));

describe("a case exists", () => {
  it.each(names)("for +%s", (name) => {
    expect(written).toMatch(new RegExp(`\\+${name.replaceAll(".", "\\.")}(?=$|[:=\\s*(])`, "m"));
  });

  it.each<[string, RegExp]>([
    ["interfaces", /^export interface Spec/m],
    ["type aliases of objects", /^(export )?type \w+ = \{/m],
    ["inline objects", /: \{ \w+\??: \w+/],
    ["classes", /^export class Spec/m],
    ["optional properties", /\w\?: string/],
    ["properties that can be undefined", /: string \| undefined/],
    ["null", /\| null/],
    ["unions of strings", /: "\w+" \| "\w+"/],
    ["unions of numbers", /: 3 \| 1 \| -2/],
    ["unions of booleans", /: true \| false/],
    ["int-or-string", /number \| string|string \| number/],
    ["mixed literals", /"a" \| 1/],
    ["literals beside wide types", /"a" \| string/],
    ["unions with a discriminator", /\{ type: "s3"; bucket: string \} \| \{ type: "gcs"/],
    ["unions of interfaces", /: S3 \| Gcs \| Disk/],
    ["unions of optional fields", /gcs\?: never/],
    ["suggestions of literals", /"b" \| \(string & \{\}\)/],
    ["numbers and literals", /number \| "auto"/],
    ["bounds as types", /Int32 & Min<1> & Max<65535>/],
    ["unions of objects", /\{ a: string \} \| \{ b: string \}/],
    ["enums of strings", /^enum \w+ \{ \w+ = "/m],
    ["enums of numbers", /const enum \w+ \{ \w+, \w+ = \d/],
    ["enums with computed members", /= "a"\.length/],
    ["constants as types", /\(typeof \w+\)\[number\]/],
    ["keys of constants", /keyof typeof/],
    ["spread constants", /\[\.\.\.words/],
    ["maps as Record", /Record<string, \w+>/],
    ["maps as index signatures", /\[key: string\]: Part/],
    ["fixed keys of Record", /Record<"x" \| "y"/],
    ["maps of any value", /Record<string, unknown>|\[key: string\]: any/],
    ["index signatures beside properties", /\{ a: string; \[key: string\]: string \}/],
    ["lists", /: string\[\]/],
    ["lists as Array and ReadonlyArray", /Array<number>[^]*ReadonlyArray</],
    ["tuples of one type", /\[number, number\]/],
    ["tuples of several types", /\[string, number\]/],
    ["tuples of variable length", /\[string, \.\.\.string\[\]\]/],
    ["fractions among literals", /0\.5 \| 1/],
    ["values without a JSON form", /bigint[^]*symbol[^]*Date[^]*Map<[^]*Set<[^]*Uint8Array/],
    ["functions and methods", /\(\) => void[^]*k\(\): void/],
    ["any, unknown and object", /: any; \w: unknown; \w: object/],
    ["extends with several types", /extends A, B/],
    ["intersections", /= A & B/],
    ["brands", /string & \{ readonly \[tag\]/],
    ["generics with defaults", /<Kind extends string = "Secret"/],
    ["generic roots", /interface Generic</],
    ["Pick, Omit, Partial, Required, Readonly", /Pick<[^]*Omit<[^]*Partial<[^]*Required<[^]*Readonly</],
    ["NonNullable, Exclude, Extract", /Exclude<[^]*Extract<[^]*NonNullable</],
    ["keyof and indexed types", /keyof T[^]*T\["a"\]/],
    ["mapped types", /\[K in "x" \| "y"\]/],
    ["conditional types and infer", /extends \(infer U\)\[\] \?/],
    ["template literal types", /`x\$\{string\}`/],
    ["ReturnType", /ReturnType</],
    ["types of schema libraries", /z\.infer</],
    ["types of values with typeof", /: typeof Spec/],
    ["global augmentation", /declare global/],
    ["recursion", /children\?: Node\[\]/],
    ["imports with .js, without extension, of namespaces and of defaults", /barrel\.js[^]*\* as all[^]*type Fallback/],
    ["inline imports", /import\("\.\/other\.ts"\)/],
    ["scalars of tsop", /Int32[^]*Int64[^]*Float[^]*Quantity|Quantity[^]*Int32/],
    ["types of Kubernetes", /from "tsop\/k8s\//],
    ["types of client-node", /from "@kubernetes\/client-node"/],
  ])("for %s", (_construct, expression) => {
    expect(written).toMatch(expression);
  });
});
