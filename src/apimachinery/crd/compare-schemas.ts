import { equalJson } from "../equal.ts";
import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";
import { normalizeRoot } from "./normalize-schema.ts";

/** A difference between two versions of a schema. */
export interface SchemaChange {
  /** The path of the field, such as `spec.users[].name`. */
  readonly path: string;
  /** The part that changed: the field itself, or the keyword of its schema. */
  readonly what: "added" | "removed" | keyof JsonSchema;
  readonly before?: unknown;
  readonly after?: unknown;
  /** What may not work afterwards: objects that were valid, or programs that read new ones. */
  readonly breaks?: "objects" | "readers" | undefined;
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
    else changes.push({ path, what: key, before: old, after: now, breaks: brokenBy(key, old, now) });
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
    const isRequired = after.required?.includes(name) ?? false;
    if (!old[name]) changes.push({ path: at, what: "added", breaks: isRequired ? "objects" : undefined });
    else if (!now[name]) changes.push({ path: at, what: "removed", breaks: "objects" });
    else compare(old[name], now[name], at, changes);
  }
}

const upperLimits: ReadonlySet<string> = new Set(["maximum", "maxLength", "maxItems", "maxProperties"]);
const lowerLimits: ReadonlySet<string> = new Set(["minimum", "minLength", "minItems", "minProperties"]);

/** Everything that could refuse a valid object breaks objects. */
function brokenBy(key: keyof JsonSchema, before: unknown, after: unknown): SchemaChange["breaks"] {
  const ifSo = (isBroken: boolean): SchemaChange["breaks"] => (isBroken ? "objects" : undefined);
  if (upperLimits.has(key) && after !== undefined) return ifSo(before === undefined || Number(after) < Number(before));
  if (lowerLimits.has(key) && after !== undefined) return ifSo(before === undefined || Number(after) > Number(before));
  if (key === "required" || key === "x-kubernetes-validations") return ifSo(newIn(before, after).length > 0);
  if (key === "enum" && before !== undefined && after !== undefined)
    return newIn(after, before).length > 0 ? "objects" : "readers";
  if (key === "nullable" && after === true) return "readers";
  if (key === "default") return after === undefined ? "readers" : undefined;
  if (key === "x-kubernetes-preserve-unknown-fields") return ifSo(after === undefined);
  // They say how applies are merged. A list whose items must differ refuses those that do not.
  if (key === "x-kubernetes-map-type") return undefined;
  if (key === "x-kubernetes-list-type") return ifSo(after === "map" || after === "set");
  const loosens = after === undefined && key !== "type" && key !== "format" && key !== "nullable";
  return ifSo(!loosens);
}

/** Returns the items of a list that another one does not have. */
function newIn(before: unknown, after: unknown): unknown[] {
  const known = (before ?? []) as unknown[];
  return ((after ?? []) as unknown[]).filter((item) => !known.some((each) => equalJson(each, item)));
}

/** Formats a change as in `spec.size: maximum none → 3`. */
export function formatSchemaChange({ path, what, before, after }: SchemaChange): string {
  const field = path || "the object";
  if (what === "added" || what === "removed") return `${field}: ${what}`;
  return `${field}: ${what} ${formatValue(before)} → ${formatValue(after)}`;
}

function formatValue(value: unknown): string {
  const text = value === undefined ? "none" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
