import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

export type SchemaKey = keyof JsonSchema;

/** Called if two schemas disagree in a way that no merged schema can express. */
export type Conflict = (key: SchemaKey, kept: unknown, refused: unknown) => void;

/**
 * Adds `source` to `target` as controller-gen joins the branches of an allOf: properties are merged, rules of the
 * source come first, and different limits are both kept in `allOf`. Texts are not merged. Neither schema is changed,
 * and the result may share parts with both.
 */
export function merge(target: JsonSchema, source: JsonSchema, conflict: Conflict): JsonSchema {
  const { allOf = [], ...rest } = source;
  const base = allOf.reduce((joined, branch) => merge(joined, branch, conflict), target);
  const result: JsonSchema = { ...base };
  const apart: [JsonSchema, JsonSchema] = [{}, {}];
  for (const key of Object.keys(rest) as SchemaKey[]) {
    const theirs = source[key];
    const ours = result[key];
    if (documentation.has(key) || theirs === undefined) continue;
    if (ours === undefined) set(result, key, theirs);
    else if (!equalJson(ours, theirs)) mergeKey({ result, source, apart }, key, conflict);
  }
  if (Object.keys(apart[0]).length > 0) result.allOf = [...(result.allOf ?? []), ...apart];
  return result;
}

/** Keys that are taken from the outer schema as a whole. */
export const documentation: ReadonlySet<SchemaKey> = new Set(["description", "title", "example", "externalDocs"]);

export function withoutTexts(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !documentation.has(key as SchemaKey)));
}

interface Sides {
  readonly result: JsonSchema;
  readonly source: JsonSchema;
  readonly apart: readonly [JsonSchema, JsonSchema];
}

function mergeKey({ result, source, apart }: Sides, key: SchemaKey, conflict: Conflict): void {
  const ours = result[key];
  const theirs = source[key];
  if (key === "type") return conflict(key, ours, theirs);
  if (targetWins.has(key)) return;
  if (sourceWins.has(key)) return set(result, key, theirs);
  if (key === "properties")
    return set(result, key, mergeProperties(ours as Properties, theirs as Properties, conflict));
  if (key === "items") return set(result, key, merge(ours as JsonSchema, theirs as JsonSchema, conflict));
  if (key === "required")
    return set(result, key, [...new Set([...(ours as string[]), ...(theirs as string[])])].sort());
  if (key === "x-kubernetes-validations") return set(result, key, [...(theirs as []), ...(ours as [])]);
  if (key === "additionalProperties")
    return set(result, key, mergeMaps(ours as MapValues, theirs as MapValues, conflict));
  set(apart[0], key, ours);
  set(apart[1], key, theirs);
  delete result[key];
}

const targetWins: ReadonlySet<SchemaKey> = new Set(["enum", "default"]);

const sourceWins: ReadonlySet<SchemaKey> = new Set([
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
]);

type MapValues = NonNullable<JsonSchema["additionalProperties"]>;

function mergeMaps(ours: MapValues, theirs: MapValues, conflict: Conflict): MapValues {
  if (typeof theirs !== "object") return ours;
  return typeof ours === "object" ? merge(ours, theirs, conflict) : theirs;
}

type Properties = Record<string, JsonSchema>;

function mergeProperties(target: Properties, source: Properties, conflict: Conflict): Properties {
  const merged = new Map(Object.entries(target));
  for (const [name, schema] of Object.entries(source)) {
    const known = merged.get(name);
    merged.set(name, known ? merge(known, schema, conflict) : schema);
  }
  return Object.fromEntries(merged);
}

function set(schema: JsonSchema, key: SchemaKey, value: unknown): void {
  Object.assign(schema, { [key]: value });
}
