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
  switch (key) {
    case "enum":
    case "default":
      return;
    case "type":
      return conflict(key, ours, theirs);
    case "properties":
      return mergeProperties(ours as Properties, theirs as Properties, conflict);
    case "required":
      target.required = [...new Set([...(ours as string[]), ...(theirs as string[])])].sort();
      return;
    case "items":
      return mergeInto(ours as JsonSchema, theirs as JsonSchema, conflict);
    case "additionalProperties":
      if (typeof theirs !== "object") return;
      if (typeof ours === "object") return mergeInto(ours as JsonSchema, theirs as JsonSchema, conflict);
      return set(target, key, theirs);
    case "x-kubernetes-validations":
      target[key] = [...(theirs as []), ...(ours as [])];
      return;
    case "x-kubernetes-preserve-unknown-fields":
    case "x-kubernetes-map-type":
    case "x-kubernetes-list-type":
    case "x-kubernetes-list-map-keys":
      return set(target, key, theirs);
    default:
      set(apart[0], key, ours);
      set(apart[1], key, theirs);
      delete target[key];
  }
}

type Properties = Record<string, JsonSchema>;

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
