import { equalJson } from "../apimachinery/equal.ts";
import { isObject } from "../apimachinery/is-object.ts";
import type { JsonSchema } from "../apimachinery/json-schema.ts";
import { normalizeRoot } from "./normalize-schema.ts";

/** A difference between two versions of a schema. */
export interface SchemaChange {
  /** The path of the field, such as `spec.users[].name`. */
  readonly path: string;
  /** The part that changed: the field itself, or the keyword of its schema. */
  readonly what: "added" | "removed" | keyof JsonSchema;
  readonly before?: unknown;
  readonly after?: unknown;
  /** True if an object that was valid, or a program that reads it, may not work afterwards. */
  readonly breaking: boolean;
}

/** Compares the schemas of a kind: schemas that validate the same are equal. */
export function compareSchemas(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  const changes: SchemaChange[] = [];
  compare(normalizeRoot(before), normalizeRoot(after), "", changes);
  return changes;
}

function compare(before: JsonSchema, after: JsonSchema, path: string, changes: SchemaChange[]): void {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof JsonSchema>;
  for (const key of [...keys].sort()) {
    const [old, now] = [before[key], after[key]];
    if (equalJson(old, now)) continue;
    if (key === "properties") compareProperties(before, after, path, changes);
    else if (hasSchema(key) && isObject(old) && isObject(now)) compare(old, now, path + ends[key], changes);
    else changes.push({ path, what: key, before: old, after: now, breaking: isBreaking(key, old, now) });
  }
}

const ends = { items: "[]", additionalProperties: "[key]" } as const;

function hasSchema(key: keyof JsonSchema): key is keyof typeof ends {
  return key in ends;
}

function compareProperties(before: JsonSchema, after: JsonSchema, path: string, changes: SchemaChange[]): void {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  for (const name of [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()) {
    const at = path ? `${path}.${name}` : name;
    if (!old[name]) changes.push({ path: at, what: "added", breaking: after.required?.includes(name) ?? false });
    else if (!now[name]) changes.push({ path: at, what: "removed", breaking: true });
    else compare(old[name], now[name], at, changes);
  }
}

const upperLimits: ReadonlySet<string> = new Set(["maximum", "maxLength", "maxItems", "maxProperties"]);
const lowerLimits: ReadonlySet<string> = new Set(["minimum", "minLength", "minItems", "minProperties"]);

/**
 * Everything that could refuse a valid object is breaking; so is a new value of an enum for a program that reads it.
 */
function isBreaking(key: keyof JsonSchema, before: unknown, after: unknown): boolean {
  if (upperLimits.has(key) && after !== undefined) return before === undefined || Number(after) < Number(before);
  if (lowerLimits.has(key) && after !== undefined) return before === undefined || Number(after) > Number(before);
  if (key === "required") {
    const known = new Set((before ?? []) as string[]);
    return ((after ?? []) as string[]).some((name) => !known.has(name));
  }
  if (key === "default" || key === "x-kubernetes-preserve-unknown-fields") return after === undefined;
  const loosens = after === undefined && key !== "type" && key !== "format" && key !== "nullable";
  return !loosens;
}
