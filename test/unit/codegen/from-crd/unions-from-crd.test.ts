import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../../src/apimachinery/crd/compare-schemas.ts";
import type { JsonSchema, ValidationRule } from "../../../../src/apimachinery/json-schema.ts";
import { parseYamlDocuments } from "../../../../src/apimachinery/yaml/parse.ts";
import { typesFromCrd } from "../../../../src/codegen/from-crd/types-from-crd.ts";
import { loadProjectTypes } from "../../../../src/codegen/run-generators.ts";
import { memoryDisk } from "../../../../src/files/memory-disk.ts";
import { boatCrd } from "./boat-crd.ts";

/** The types of a spec, and what their schema has that the spec has not. */
async function typesOf(spec: JsonSchema): Promise<{ text: string; changes: unknown[] }> {
  const crd = boatCrd(spec);
  const files = typesFromCrd(crd, "api").map(
    ({ path, text }) => [`/p/${path}`, text.replace("// +tsop:external\n", "")] as const,
  );
  const disk = memoryDisk(Object.fromEntries(files));
  const { resources } = await loadProjectTypes({ root: "/p", disk, forCrds: false });
  const schema = resources[0]!.versions[0]!.schema;
  const text = files.find(([path]) => path.endsWith("boat_types.ts"))![1];
  return { text, changes: compareSchemas(crd.spec.versions[0]!.schema!.openAPIV3Schema!, schema) };
}

function caseSchema(name: string): JsonSchema {
  const file = new URL(`../cases/${name}/output.yaml`, import.meta.url);
  return parseYamlDocuments(readFileSync(file, "utf8"))[0] as JsonSchema;
}

const object: JsonSchema = { type: "object", properties: { a: { type: "string" } } };

function withRule(rule: string, message: string, more: readonly ValidationRule[] = []): JsonSchema {
  const properties = { s3: object, gcs: object, name: { type: "string" as const } };
  const source: JsonSchema = {
    type: "object",
    properties,
    required: ["name"],
    "x-kubernetes-validations": [...more, { rule, message }],
  };
  return { type: "object", properties: { source } };
}

describe("the types of unions", () => {
  it.each(["unions-discriminated", "unions-nested", "unions-of-fields", "unions-by-shape", "unions-and-types"])(
    "%s have the same schema again",
    async (name) => {
      expect((await typesOf(caseSchema(name))).changes).toEqual([]);
    },
  );

  it("with a discriminator are interfaces, which narrow", async () => {
    const { text } = await typesOf(caseSchema("unions-discriminated"));
    expect(text).toContain("export type BoatSpecShared = S3BoatSpecShared | GcsBoatSpecShared;\n");
    expect(text).toContain(
      'export interface S3BoatSpecShared extends BoatSpecSharedCommon {\n  type: "s3";\n  bucket: string;\n}',
    );
    expect(text).toContain("export interface DiskMemoryBoatSpecInterfaces extends");
    expect(text).toContain('  type: "disk" | "memory";\n');
    expect(text).toContain("  enabled: true;\n  host: string;\n");
    expect(text).toContain("  version: 2;\n  new: string;\n");
    expect(text).toContain('  type?: "s3";\n  bucket: string;\n');
    expect(text).toContain("  type?: never;\n  url: string;\n");
    expect(text).toContain(`  "the-type": "it's" | 'a "b"';\n  "the.key": string;\n`);
    expect(text).not.toContain("XValidation");
  });

  it("keep the rules that are not those of the union", async () => {
    const { text } = await typesOf(caseSchema("unions-and-types"));
    expect(text).toContain(
      "/** +kubebuilder:validation:XValidation:rule=\"self.name != ''\" */\nexport type BoatSpecChecked = ABoatSpecChecked | BBoatSpecChecked;\n",
    );
  });

  it.each([
    [
      "ExactlyOneOf",
      "(has(self.s3)?1:0)+(has(self.gcs)?1:0) == 1",
      "exactly one of the fields in [s3 gcs] must be set",
    ],
    ["AtMostOneOf", "(has(self.s3)?1:0)+(has(self.gcs)?1:0) <= 1", "at most one of the fields in [s3 gcs] may be set"],
  ])("of fields, as controller-gen writes them for %s, exclude each other", async (_marker, rule, message) => {
    const more = [{ rule: "self.name != ''" }];
    const { text, changes } = await typesOf(withRule(rule, message, more));
    expect(changes).toEqual([]);
    expect(text).toContain("export type BoatSpecSource = S3BoatSpecSource | GcsBoatSpecSource;\n");
    const mark = rule.endsWith("== 1") ? "" : "?";
    expect(text).toContain(`  gcs?: never;\n  s3${mark}: BoatSpecSourceS3;\n`);
  });

  it("of fields, as controller-gen writes them for AtLeastOneOf, have one of them", async () => {
    const message = "at least one of the fields in [s3 gcs] must be set";
    const { text, changes } = await typesOf(withRule("has(self.s3)||has(self.gcs)", message));
    expect(changes).toEqual([]);
    expect(text).toContain("  s3: BoatSpecSourceS3;\n  gcs?: BoatSpecSourceGcs;\n");
  });

  it("of fields are read from the rules of an older controller-gen, and written as today", async () => {
    const rule = "[has(self.s3),has(self.gcs)].filter(x,x==true).size() == 1";
    const { text, changes } = await typesOf(withRule(rule, "exactly one of the fields in [s3 gcs] must be set"));
    expect(text).toContain("export type BoatSpecSource = S3BoatSpecSource | GcsBoatSpecSource;\n");
    expect(changes).toMatchObject([{ path: "spec.source", what: "x-kubernetes-validations" }]);
  });

  it.each([
    ["another message", "(has(self.s3)?1:0)+(has(self.gcs)?1:0) == 1", "choose one"],
    [
      "a required field",
      "(has(self.s3)?1:0)+(has(self.name)?1:0) == 1",
      "exactly one of the fields in [s3 name] must be set",
    ],
    [
      "an unknown field",
      "(has(self.s3)?1:0)+(has(self.x)?1:0) == 1",
      "exactly one of the fields in [s3 x] must be set",
    ],
  ])("are left as rules if they have %s", async (_difference, rule, message) => {
    const { text, changes } = await typesOf(withRule(rule, message));
    expect(text).toContain("export interface BoatSpecSource {");
    expect(changes).toEqual([]);
  });
});
