import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { formatProblems, typeProblems } from "./check-applied.ts";
import { compareObjects, type Comparison } from "./compare-objects.ts";
import { typedObject, type Typed, type TypedNode } from "./typed-node.ts";
import { FieldSet } from "./field-set.ts";

/** A version of a kind, which divides an object for the managers of that version. */
export interface KindVersion {
  readonly schema: JsonSchema | undefined;
  /** The reason why objects cannot be converted to it: the kind no longer has this version. */
  readonly problem?: string;
  /** Converts an object to the version; absent if only its apiVersion differs. */
  convert?(object: UnstructuredObject): Promise<UnstructuredObject>;
}

/** Returns a version; `undefined` if it is not known. */
export type FindVersion = (apiVersion: string) => KindVersion | undefined;

/** Converts an object to a version, for which a webhook may be called. */
export async function convertTo(
  version: KindVersion | undefined,
  object: UnstructuredObject,
): Promise<UnstructuredObject> {
  return (await version?.convert?.(object)) ?? object;
}

/** Returns an object without its managedFields. */
export function bare(object: UnstructuredObject): UnstructuredObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** An object before and after a write, in the version of the request. */
interface Written {
  readonly before: UnstructuredObject;
  readonly after: UnstructuredObject;
  readonly apiVersion: string;
  readonly comparison: Comparison;
}

/** The comparisons of a write by apiVersion. */
export type Comparisons = ReadonlyMap<string, Comparison>;

/** Why the version of a manager cannot divide an object into fields. */
interface Undivided {
  readonly problem: string;
}

/** Looks for a version of a manager that does not declare all fields of an object. */
export async function findUndivided(
  { object, apiVersion }: { readonly object: UnstructuredObject; readonly apiVersion: string },
  managers: Iterable<{ readonly apiVersion: string }>,
  findVersion: FindVersion | undefined,
): Promise<Undivided | undefined> {
  for (const name of new Set([...managers].map((manager) => manager.apiVersion))) {
    const version = name === apiVersion ? undefined : findVersion?.(name);
    const problem = version && (version.problem ?? problemIn(version, await convertTo(version, object)));
    if (problem !== undefined) return { problem };
  }
  return undefined;
}

/** Returns the fields of an object that a version, to which it is converted, does not declare. */
export function problemIn({ schema }: KindVersion, object: UnstructuredObject): string | undefined {
  const problems = schema ? typeProblems(object, typedObject(schema)) : [];
  return problems.length > 0 ? formatProblems(problems) : undefined;
}

/** Compares a write in the versions of managers, too. One that is not known is compared as the request's. */
export async function compareVersions(
  { before, after, apiVersion, comparison }: Written,
  managers: Iterable<{ readonly apiVersion: string }>,
  findVersion: FindVersion | undefined,
): Promise<Comparisons | Undivided> {
  const comparisons = new Map([[apiVersion, comparison]]);
  for (const manager of managers) {
    if (comparisons.has(manager.apiVersion)) continue;
    const version = findVersion?.(manager.apiVersion);
    if (version?.problem !== undefined) return { problem: version.problem };
    if (version?.schema) {
      const old = await convertTo(version, bare(before));
      const now = await convertTo(version, bare(after));
      const problem = problemIn(version, now);
      if (problem !== undefined) return { problem: `failed to convert new object: ${problem}` };
      comparisons.set(manager.apiVersion, compareObjects(old, now, typedObject(version.schema)));
    } else comparisons.set(manager.apiVersion, comparison);
  }
  return comparisons;
}

/** The sets that a schema divides as they are. Objects of a kind share most of theirs. */
const fitting = new WeakMap<Typed, WeakSet<FieldSet>>();

/**
 * Returns the fields of a manager as the schema divides objects now. A part that has become atomic since then is
 * returned as a whole. If an atomic part becomes divisible, its fields stay as they are.
 */
export function adaptFields(fields: FieldSet, typed: Typed): FieldSet {
  let known = fitting.get(typed);
  if (!known) fitting.set(typed, (known = new WeakSet()));
  if (known.has(fields)) return fields;
  const adapted = adapt(fields, typed);
  known.add(adapted);
  return adapted;
}

function adapt(fields: FieldSet, { node }: Typed): FieldSet {
  if (!node || node.kind === "scalar" || fields.children.size === 0) return fields;
  if (isAtomic(node)) return whole;
  let adapted = fields;
  for (const [key, child] of fields.children) {
    const typed = typeOf(node, key);
    const next = typed ? adapt(child, typed) : child;
    if (next !== child) adapted = adapted.with(key, next);
  }
  return adapted;
}

const whole = new FieldSet();
whole.member = true;

function isAtomic(node: TypedNode): boolean {
  return node.kind === "map" ? node.atomic : node.kind === "list" && node.join === "atomic";
}

function typeOf(node: TypedNode, key: string): Typed | undefined {
  if (node.kind === "list") return node.items;
  if (node.kind !== "map" || !key.startsWith("f:")) return undefined;
  return node.type.field(key.slice(2)) ?? node.type.others;
}
