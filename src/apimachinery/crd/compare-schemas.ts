import { equalJson } from "../equal.ts";
import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";
import { normalizeRoot } from "./normalize-schema.ts";

/** What a change of an API means for those who use it, from harmless to worst. */
export const verdicts = ["safe", "breaks readers", "breaks writers", "loses stored data"] as const;
export type Verdict = (typeof verdicts)[number];

/** Reports whether objects that were valid are refused after a change, or lose fields. */
export function breaksObjects(verdict: Verdict): boolean {
  return verdicts.indexOf(verdict) >= verdicts.indexOf("breaks writers");
}

/** A difference between two versions of a schema. */
export interface SchemaChange {
  /** The path of the field, such as `spec.users[].name`. */
  readonly path: string;
  /** The part that changed: the field itself, or the keyword of its schema. */
  readonly what: "added" | "removed" | keyof JsonSchema;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly verdict: Verdict;
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
    else {
      const verdict = key === "required" ? verdictOnRequired(before, after) : verdictOn(key, old, now);
      changes.push({ path, what: key, before: old, after: now, verdict });
    }
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
    if (!old[name])
      changes.push({ path: at, what: "added", verdict: isNeeded(name, after) ? "breaks writers" : "safe" });
    else if (!now[name]) changes.push({ path: at, what: "removed", verdict: removalFrom(after) });
    else compare(old[name], now[name], at, changes);
  }
}

const upperLimits: ReadonlySet<string> = new Set(["maximum", "maxLength", "maxItems", "maxProperties"]);
const lowerLimits: ReadonlySet<string> = new Set(["minimum", "minLength", "minItems", "minProperties"]);

/** Returns the verdict on the removal of a field: it stays in objects whose schema lets unknown fields be. */
function removalFrom({ additionalProperties, ...schema }: JsonSchema): Verdict {
  const isKept = schema["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties === true;
  return isKept ? "safe" : "loses stored data";
}

function verdictOnRequired({ required = [] }: JsonSchema, after: JsonSchema): Verdict {
  const isTightened = after.required?.some((name) => !required.includes(name) && isNeeded(name, after));
  return isTightened ? "breaks writers" : "safe";
}

/** Reports whether objects must name a field: one that is required, without a default. */
function isNeeded(name: string, { required, properties }: JsonSchema): boolean {
  return required?.includes(name) === true && properties?.[name]?.default === undefined;
}

/** Everything that could refuse a valid object breaks writers. */
function verdictOn(key: keyof JsonSchema, before: unknown, after: unknown): Verdict {
  const writersIf = (isBroken: boolean): Verdict => (isBroken ? "breaks writers" : "safe");
  if (upperLimits.has(key) && after !== undefined)
    return writersIf(before === undefined || Number(after) < Number(before));
  if (lowerLimits.has(key) && after !== undefined)
    return writersIf(before === undefined || Number(after) > Number(before));
  if (key === "x-kubernetes-validations") return writersIf(newIn(before, after).length > 0);
  if (key === "enum" && before !== undefined && after !== undefined)
    return newIn(after, before).length > 0 ? "breaks writers" : "breaks readers";
  if (key === "nullable" && after === true) return "breaks readers";
  // A field that an object does not name changes its value.
  if (key === "default") return before === undefined ? "safe" : "breaks readers";
  // Keys that no property names are dropped.
  if (key === "x-kubernetes-preserve-unknown-fields") return after === undefined ? "loses stored data" : "safe";
  if (key === "additionalProperties")
    return after === undefined ? "loses stored data" : writersIf(before !== undefined && after !== true);
  // They say how applies are merged. A list whose items must differ refuses those that do not.
  if (key === "x-kubernetes-map-type") return "safe";
  if (key === "x-kubernetes-list-type") return writersIf(after === "map" || after === "set");
  const loosens = after === undefined && key !== "type" && key !== "format" && key !== "nullable";
  return writersIf(!loosens);
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
