import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";

export type SchemaKey = keyof JsonSchema;

/** Two schemas disagree in a way that no merged schema can express. */
export type Conflict = (key: SchemaKey, kept: unknown, refused: unknown) => void;

/**
 * Adds what `source` says to `target`, as controller-gen joins the branches of an allOf: properties are merged, rules of
 * the source come first, and limits that differ both hold, side by side in `allOf`. Texts are not merged.
 */
export function mergeInto(target: JsonSchema, source: JsonSchema, conflict: Conflict): void {
  for (const branch of source.allOf ?? []) mergeInto(target, branch, conflict);
  const apart: [JsonSchema, JsonSchema] = [{}, {}];
  for (const key of Object.keys(source) as SchemaKey[]) {
    const theirs = source[key];
    const ours = target[key];
    if (key === "allOf" || documentation.has(key) || theirs === undefined) continue;
    if (ours === undefined) set(target, key, cloneJson(theirs));
    else if (!equalJson(ours, theirs)) mergeKey({ target, source, apart }, key, conflict);
  }
  if (Object.keys(apart[0]).length > 0) (target.allOf ??= []).push(...apart);
}

/** Keys of which the outer one counts as a whole. */
export const documentation: ReadonlySet<SchemaKey> = new Set(["description", "title", "example", "externalDocs"]);

interface Sides {
  readonly target: JsonSchema;
  readonly source: JsonSchema;
  readonly apart: readonly [JsonSchema, JsonSchema];
}

function mergeKey({ target, source, apart }: Sides, key: SchemaKey, conflict: Conflict): void {
  const ours = target[key];
  const theirs = source[key];
  if (key === "type") return conflict(key, ours, theirs);
  if (targetWins.has(key)) return;
  if (sourceWins.has(key)) return set(target, key, theirs);
  if (key === "properties") return mergeProperties(ours as Properties, theirs as Properties, conflict);
  if (key === "items") return mergeInto(ours as JsonSchema, theirs as JsonSchema, conflict);
  if (key === "required")
    return set(target, key, [...new Set([...(ours as string[]), ...(theirs as string[])])].sort());
  if (key === "x-kubernetes-validations") return set(target, key, [...(theirs as []), ...(ours as [])]);
  if (key === "additionalProperties") return mergeMaps(target, theirs, conflict);
  set(apart[0], key, ours);
  set(apart[1], key, theirs);
  delete target[key];
}

const targetWins: ReadonlySet<SchemaKey> = new Set(["enum", "default"]);

const sourceWins: ReadonlySet<SchemaKey> = new Set([
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
]);

type Properties = Record<string, JsonSchema>;

function mergeMaps(target: JsonSchema, theirs: unknown, conflict: Conflict): void {
  if (typeof theirs !== "object") return;
  if (typeof target.additionalProperties === "object")
    mergeInto(target.additionalProperties, theirs as JsonSchema, conflict);
  else target.additionalProperties = theirs as JsonSchema;
}

function mergeProperties(target: Properties, source: Properties, conflict: Conflict): void {
  for (const [name, schema] of Object.entries(source)) {
    const known = target[name];
    if (known) mergeInto(known, schema, conflict);
    else target[name] = cloneJson(schema);
  }
}

function set(schema: JsonSchema, key: SchemaKey, value: unknown): void {
  Object.assign(schema, { [key]: value });
}
