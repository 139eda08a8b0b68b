import { expect, it } from "vitest";
import { builtinSchema } from "../../../../src/apimachinery/builtin/builtin-schema.ts";
import { loadBuiltins } from "../../../../src/apimachinery/builtin/load-builtins.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { mergeSchemaOf } from "../../../../src/runtime/objects/merge-schema.ts";

/** Lists the fields that a strategic merge patch treats in a way of their own, as far as it merges. */
function strategiesOf(schema: JsonSchema, path = "", above: readonly JsonSchema[] = []): string[] {
  if (above.includes(schema)) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const strategy = field["x-kubernetes-patch-strategy"] ?? "";
    const here = `${path}.${name}`;
    const own = strategy ? [`${here} ${strategy} ${field["x-kubernetes-patch-merge-key"] ?? ""}`] : [];
    const inner = field.properties ? field : strategy ? field.items : undefined;
    return inner ? [...own, ...strategiesOf(inner, here, [...above, schema])] : own;
  });
}

it.each(loadBuiltins().resources)("has the strategies of $kind in $group/$version", (resource) => {
  const { group, version, kind, plural, type } = resource;
  const merged = mergeSchemaOf(defineKind({ group, version, kind, plural }))!;
  expect(strategiesOf(merged).toSorted()).toEqual(strategiesOf(builtinSchema(type)!).toSorted());
});

it("has no schema for other kinds", () => {
  const Memcached = defineKind({ group: "cache.example.com", version: "v1", kind: "Memcached", plural: "memcacheds" });
  expect(mergeSchemaOf(Memcached)).toBeUndefined();
});
