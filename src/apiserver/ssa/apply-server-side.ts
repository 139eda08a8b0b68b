import { equalJson } from "../../apimachinery/equal.ts";
import { sortedGoJson } from "../../apimachinery/go-text.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { compareObjects } from "./compare-objects.ts";
import { checkApplied, checkLive } from "./check-applied.ts";
import { conflictStatus, type FieldConflict } from "./conflict-status.ts";
import { FieldSet } from "./field-set.ts";
import { bareError } from "../refusals.ts";
import { bare, compareVersions, findUndivided, type Comparisons, type FindVersion } from "./kind-versions.ts";
import { adaptManagers, formatManagers, managerId, parseManagers, type Managers, disown, ownable } from "./managers.ts";
import { mergeObjects, pruneApplied } from "./merge-objects.ts";
import { objectFields } from "./object-fields.ts";
import { typedObject, type Typed } from "./typed-node.ts";

export interface ServerSideApply {
  /** The schema of the kind in the request's version. */
  readonly schema: JsonSchema | undefined;
  readonly findVersion?: FindVersion;
  /** The live object in that version; for a new object, only the identity in the URL. */
  readonly live: UnstructuredObject;
  readonly applied: UnstructuredObject;
  /** The content of a new, empty object of the kind, which no manager owns. */
  readonly empty?: Readonly<Record<string, unknown>> | undefined;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly force: boolean;
  /** The time in RFC 3339 with seconds, if the entry has one. */
  readonly now: string | undefined;
  /** Fields that this endpoint does not write, such as `["status"]`: applied values of them are not owned. */
  readonly ignored?: readonly (readonly string[])[];
  /** Lets other requests go on, as a large object takes long. */
  readonly rest?: () => Promise<void> | undefined;
}

/**
 * Applies an object server-side and returns it with its managedFields. Throws 409 with every field that another manager owns with another value, unless forced; 400 if managedFields
 * are applied; and a 500 for an object that does not match the schema, or is applied to one that does not.
 */
export async function applyServerSide(request: ServerSideApply): Promise<UnstructuredObject> {
  const { live, applied, apiVersion, subresource = "", now } = request;
  if ((applied.metadata.managedFields ?? null) !== null) {
    throw new ApiError(failure("BadRequest", "metadata.managedFields must be nil"));
  }
  const typed = typedObject(request.schema);
  const managers = managersBefore(request, typed);
  checkApplied(applied, typed);
  const identity = { manager: request.manager, operation: "Apply", apiVersion, subresource } as const;
  const id = managerId(identity);
  const previous = managers.get(id);
  const ignored = ignoredFields(request.ignored ?? []);
  // The identity is owned while fields are pruned, which keeps it.
  const set = objectFields(applied, typed).without(ignored);
  const fields = ownable(set);
  await request.rest?.();
  const old = bare(live);
  checkLive(old, typed);
  const { findVersion } = request;
  const undivided = await findUndivided({ object: old, apiVersion }, managers.values(), findVersion);
  if (undivided) throw bareError(undivided.problem);
  const merged = mergeObjects(old, applied, typed) as UnstructuredObject;
  // The time only changes with the object; `now` is set below.
  managers.set(id, { ...identity, time: previous?.time, fields: set });
  const pruned = previous ? await pruneApplied({ merged, typed, apiVersion, findVersion, previous, managers }) : merged;
  managers.set(id, { ...identity, time: previous?.time, fields });
  await request.rest?.();
  const comparison = compareObjects(old, pruned, typed);
  const written = { before: old, after: pruned, apiVersion, comparison };
  const compared = await compareVersions(written, managers.values(), findVersion);
  if ("problem" in compared) throw bareError(compared.problem);
  const comparisons = withoutIgnored(compared, ignored);
  const found = request.force ? [] : findConflicts(managers, comparisons, id);
  const conflicts = conflictsBeyondLastApplied(found, { manager: request.manager, live, typed });
  if (conflicts.length > 0) throw new ApiError(conflictStatus(conflicts));
  disown(managers, comparisons, id);
  const changed = !equalJson(old, pruned);
  if (changed) managers.set(id, { ...identity, time: now, fields });
  const object = withManagers(changed ? pruned : old, managers);
  return request.manager === "kubectl" ? withLastApplied(object, applied) : object;
}

/** Returns the managers of the live object. Without managers, its fields belong to a manager `before-first-apply`. */
function managersBefore(request: ServerSideApply, typed: Typed): Managers {
  const { live, empty, apiVersion, subresource = "", now, ignored = [] } = request;
  const managers = parseManagers(live.metadata.managedFields) ?? new Map<string, never>();
  if (managers.size > 0) {
    adaptManagers(managers, request);
    return managers;
  }
  checkLive(live, typed);
  const { added } = compareObjects(empty, live, typed);
  const fields = ownable(added).without(ignoredFields(ignored));
  const identity = { manager: "before-first-apply", operation: "Update", apiVersion, subresource } as const;
  return fields.isEmpty ? managers : new Map([[managerId(identity), { ...identity, time: now, fields }]]);
}

function findConflicts(managers: Managers, comparisons: Comparisons, own: string): FieldConflict[] {
  const changed = new Map([...comparisons].map(([version, { added, modified }]) => [version, added.union(modified)]));
  return [...managers].flatMap(([id, manager]) => {
    if (id === own) return [];
    return [...manager.fields.intersection(changed.get(manager.apiVersion)!).paths()].map((path) => ({
      manager,
      path,
    }));
  });
}

function ignoredFields(paths: readonly (readonly string[])[]): FieldSet {
  const fields = new FieldSet();
  for (const path of paths) fields.insert(path.map((name) => `f:${name}`));
  return fields;
}

function withoutIgnored(comparisons: Comparisons, ignored: FieldSet): Comparisons {
  return new Map(
    [...comparisons].map(([version, { added, modified, removed }]) => [
      version,
      { added: added.without(ignored), modified: modified.without(ignored), removed: removed.without(ignored) },
    ]),
  );
}

function withManagers(object: UnstructuredObject, managers: Managers): UnstructuredObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const managedFields = formatManagers(managers.values());
  return { ...object, metadata: managedFields.length > 0 ? { ...metadata, managedFields } : metadata };
}

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Returns the conflicts that remain when kubectl takes over from its client-side apply. A field in kubectl's annotation
 * that still has the applied value belongs to kubectl, even if the entries disagree. Only the manager `kubectl` may do
 * this.
 */
function conflictsBeyondLastApplied(
  conflicts: readonly FieldConflict[],
  { manager, live, typed }: { manager: string; live: UnstructuredObject; typed: Typed },
): readonly FieldConflict[] {
  if (manager !== "kubectl" || conflicts.length === 0) return conflicts;
  const lastApplied = parseLastApplied(live);
  if (!lastApplied) return conflicts;
  const { added, modified, removed } = compareObjects(live, lastApplied, typed);
  const own = objectFields(lastApplied, typed).difference(added).difference(modified).difference(removed);
  return conflicts.filter(({ path }) => !own.intersects(FieldSet.of(path)));
}

/** Updates the annotation, so that a later client-side apply knows the applied object. */
function withLastApplied(object: UnstructuredObject, applied: UnstructuredObject): UnstructuredObject {
  if (object.metadata.annotations?.[annotation] === undefined) return object;
  const { [annotation]: _, ...annotations } = applied.metadata.annotations ?? {};
  const metadata = { ...applied.metadata, ...(applied.metadata.annotations ? { annotations } : {}) };
  const value = `${sortedGoJson({ ...applied, metadata })}\n`;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [annotation]: value } },
  };
}

function parseLastApplied(live: UnstructuredObject): unknown {
  const text = live.metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A text that kubectl did not write says nothing about the applied object.
    return undefined;
  }
}
