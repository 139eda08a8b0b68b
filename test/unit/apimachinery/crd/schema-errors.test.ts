import { describe, expect, it } from "vitest";
import { schemaErrors } from "../../../../src/apimachinery/crd/schema-errors.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});

describe("schemaErrors", () => {
  it.each<[string, JsonSchema, string[]]>([
    ["a root without type", {}, ["s.type: Required value: must not be empty at the root"]],
    [
      "a list without items",
      object({ a: { type: "array" } }),
      ["s.properties[a].items: Required value: must be specified"],
    ],
    [
      "a field without type",
      object({ a: {} }),
      ["s.properties[a].type: Required value: must not be empty for specified object fields"],
    ],
    [
      "int-or-string with its pattern",
      object({ a: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] } }),
      [],
    ],
    [
      "int-or-string that preserves unknown fields",
      object({ a: { "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true } }),
      [
        "s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
      ],
    ],
    [
      "type in a branch",
      object({ a: { type: "string", anyOf: [{ type: "string" }] } }),
      ["s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural"],
    ],
    [
      "an invalid default",
      object({ a: { type: "integer", default: "x" } }),
      ['s.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      "an optional key of a list map",
      object({
        a: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: object({ k: { type: "string" } }),
        },
      }),
      [
        "s.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
      ],
    ],
    [
      "metadata with more than a name",
      object({ metadata: object({ labels: { type: "object" } }) }),
      [
        "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
      ],
    ],
  ])("%s", async (_name, schema, expected) => {
    expect((await schemaErrors(schema, "s")).map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
  });
});
