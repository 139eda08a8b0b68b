import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import {
  applyJsonPatch,
  createJsonPatch,
  keysOf,
  type JsonPatchOperation,
} from "../../apimachinery/patch/json-patch.ts";
import type { Version } from "./version.ts";

/** A conversion of an object to another version and back, which a test or the file of a finding can repeat. */
export interface Conversion {
  readonly object: UnstructuredObject;
  /** The other version: `cache.example.com/v1`. */
  readonly to: string;
  /** An operation of a JSON patch on the object in the other version, before the way back. */
  readonly change?: JsonPatchOperation | undefined;
  /** The operation that has made the object invalid. */
  readonly mistake?: JsonPatchOperation | undefined;
}

/** A rule that a conversion has broken. */
export interface Loss {
  readonly rule: ConversionRule;
  readonly conversion: Conversion;
  /** The version whose field it is, or from which an object is not converted. */
  readonly version: Version;
  /** The field without indices and keys, or the message of a refusal without values. */
  readonly about: string;
  readonly difference?: ValueDifference | undefined;
  readonly message?: string | undefined;
}

/** The rules that conversions are held against: changes are made in the other version, before the way back. */
export type ConversionRule =
  | "lost"
  | "change-lost"
  | "change-ignored"
  | "not-kept"
  | "refused"
  | "metadata"
  | "unstable"
  | "batch"
  | "mutated"
  | "invalid-accepted";

/** A value of a field before and after; `undefined` if it is absent. */
export interface ValueDifference {
  /** A JSON pointer. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns a key that losses with the same cause share: a field that a plain conversion loses is lost with a change, too. */
export function causeOfLoss({ rule, version, about }: Pick<Loss, "rule" | "version" | "about">): string {
  return `${rule === "change-lost" ? "lost" : rule} ${version.apiVersion} ${about}`.trimEnd();
}

/** Returns an object with a change; `undefined` if it has no such place. */
export function edited(object: UnstructuredObject, change: JsonPatchOperation): UnstructuredObject | undefined {
  try {
    return applyJsonPatch(object, [change]) as UnstructuredObject;
  } catch {
    // The parent is missing.
    return undefined;
  }
}

/** Lists what differs, at the shortest paths. */
export function diffValues(before: unknown, after: unknown, path = ""): ValueDifference[] {
  return createJsonPatch(before, after, path).map((operation) => ({
    path: operation.path,
    before: operation.op === "add" ? undefined : valueAt(before, operation.path.slice(path.length)),
    after: operation.value,
  }));
}

/** Returns the value at a JSON pointer. */
export function valueAt(whole: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>((value, step) => (value as Record<string, unknown> | null)?.[step], whole);
}

/** Formats a JSON pointer as `spec.ports[0].name`; with a schema, as `spec.ports[*].name`, which is the same for all items. */
export function formatPath(path: string, schema?: JsonSchema): string {
  let at = schema;
  const steps = keysOf(path).map((step) => {
    const { items, properties, additionalProperties: additional }: JsonSchema = at ?? {};
    const isKey = properties?.[step] === undefined && typeof additional === "object";
    at = items ?? properties?.[step] ?? (isKey ? additional : undefined);
    if (/^(\d+|-)$/.test(step)) return schema ? "[*]" : `[${step}]`;
    return isKey ? ".*" : `.${step}`;
  });
  return steps.join("").replace(/^\./, "");
}
