import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import { mergeKinds, mergeTypes, type MergeField } from "./merge-types.ts";

const schemas = new Map<string, JsonSchema>();

/** Returns what a strategic merge patch needs of the schema of a built-in kind. */
export function mergeSchemaOf({ group, version, kind }: Kind): JsonSchema | undefined {
  const type = mergeKinds[`${group}/${version} ${kind}`];
  return type === undefined ? undefined : schemaOf(type);
}

function schemaOf(type: string): JsonSchema {
  const known = schemas.get(type);
  if (known) return known;
  const schema: JsonSchema = {};
  // Before its fields, as a type may contain itself.
  schemas.set(type, schema);
  const fields = Object.entries(mergeTypes[type] ?? {});
  schema.properties = Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)]));
  return schema;
}

function fieldSchema([strategy, mergeKey, type]: MergeField): JsonSchema {
  const inner = type === "" ? {} : schemaOf(type);
  return {
    // Of an object or of the items of a list: a patch shows which one it is.
    ...inner,
    items: inner,
    "x-kubernetes-patch-strategy": strategy,
    ...(mergeKey !== "" && { "x-kubernetes-patch-merge-key": mergeKey }),
  };
}
