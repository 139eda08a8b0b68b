import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { formatProblems, typeProblems } from "./check-applied.ts";
import { compareObjects, type Comparison } from "./compare-objects.ts";
import { typedObject } from "./typed-node.ts";

/** A version of a kind, which divides an object for the managers of that version. */
export interface KindVersion {
  readonly schema: JsonSchema | undefined;
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
export interface Written {
  readonly before: UnstructuredObject;
  readonly after: UnstructuredObject;
  readonly apiVersion: string;
  readonly comparison: Comparison;
}

/** The comparisons of a write by apiVersion. */
export type Comparisons = ReadonlyMap<string, Comparison>;

/** Why the version of a manager cannot divide an object into fields. */
export interface Undivided {
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
    const problem = version && problemIn(version, await convertTo(version, object));
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
