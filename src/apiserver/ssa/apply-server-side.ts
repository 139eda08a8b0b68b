import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { compareObjects, type Comparison } from "./compare-objects.ts";
import { conflictStatus, type FieldConflict } from "./conflict-status.ts";
import { FieldSet } from "./field-set.ts";
import { checkApplied } from "./check-applied.ts";
import { formatManagers, managerId, parseManagers, type Managers, bare, disown, ownable } from "./managers.ts";
import { mergeObjects } from "./merge-objects.ts";
import { objectFields, withDeclaredParents, removeFields } from "./object-fields.ts";
import { typedObject, type Typed } from "./typed-node.ts";
import { sortMembers } from "../../apimachinery/sort-members.ts";

export interface ServerSideApply {
  /** The schema of the kind in the request's version. */
  readonly schema: JsonSchema | undefined;
  /** The live object in that version; when there is none, an object with only the identity that the URL gives. */
  readonly live: UnstructuredObject;
  readonly applied: UnstructuredObject;
  /** What an object of the kind holds before anyone sets anything: nobody owns that. */
  readonly empty?: Readonly<Record<string, unknown>> | undefined;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly force: boolean;
  /** RFC 3339 with seconds. */
  readonly now: string;
  /** Fields that this endpoint does not write, such as `["status"]`: applied values there are not owned. */
  readonly ignored?: readonly (readonly string[])[];
}

/**
 * The object after a server-side apply, with its managedFields. Throws 409 naming every field that another manager owns
 * with another value, unless forced; 400 when managedFields are applied; and what `checkApplied` throws for an object that
 * does not fit the schema.
 */
export function applyServerSide(request: ServerSideApply): UnstructuredObject {
  const { live, applied, apiVersion, subresource = "", now } = request;
  if (applied.metadata.managedFields !== undefined) {
    throw new ApiError(failure("BadRequest", "metadata.managedFields must be nil"));
  }
  const typed = typedObject(request.schema);
  checkApplied(applied, typed);
  const managers = managersBefore(request, typed);
  const identity = { manager: request.manager, operation: "Apply", apiVersion, subresource } as const;
  const id = managerId(identity);
  const previous = managers.get(id);
  const ignored = ignoredFields(request.ignored ?? []);
  const fields = ownable(objectFields(applied, typed)).without(ignored);
  const old = bare(live);
  const merged = mergeObjects(old, applied, typed);
  // Time only moves when the object changes; `now` is put in below.
  managers.set(id, { ...identity, time: previous?.time, fields });
  const pruned = previous ? prune({ merged, typed, last: previous.fields, managers }) : merged;
  const comparison = ignoring(compareObjects(old, pruned, typed), ignored);
  const found = request.force ? [] : findConflicts(managers, comparison, id);
  const conflicts = conflictsBeyondLastApplied(found, { manager: request.manager, live, typed });
  if (conflicts.length > 0) throw new ApiError(conflictStatus(conflicts));
  disown(managers, comparison, { spared: id });
  const changed = !equalJson(old, pruned);
  if (changed) managers.set(id, { ...identity, time: now, fields });
  const object = withManagers((changed ? pruned : old) as UnstructuredObject, managers);
  return request.manager === "kubectl" ? withLastApplied(object, applied) : object;
}

/** Nobody has applied to this object before, and nobody was tracked: what is there belongs to a manager of the past. */
function managersBefore(request: ServerSideApply, typed: Typed): Managers {
  const { live, empty, apiVersion, subresource = "", now, ignored = [] } = request;
  const managers = parseManagers(live.metadata.managedFields) ?? new Map<string, never>();
  if (managers.size > 0) return managers;
  const fields = ownable(compareObjects(empty, bare(live), typed).added).without(ignoredFields(ignored));
  const identity = { manager: "before-first-apply", operation: "Update", apiVersion, subresource } as const;
  return fields.isEmpty ? managers : new Map([[managerId(identity), { ...identity, time: now, fields }]]);
}

interface Pruning {
  readonly merged: unknown;
  readonly typed: Typed;
  readonly last: FieldSet;
  readonly managers: Managers;
}

/** Removes what the manager applied last time and nobody owns any more, itself included. */
function prune({ merged, typed, last, managers }: Pruning): unknown {
  const lastFields = withDeclaredParents(last, typed);
  const owned = [...managers.values()].reduce((all, manager) => all.union(manager.fields), new FieldSet());
  const fieldsOf = (object: unknown): FieldSet => withDeclaredParents(objectFields(object, typed), typed);
  const all = fieldsOf(merged);
  const withoutLast = removeFields(merged, lastFields, typed);
  const keep = fieldsOf(withoutLast).union(withDeclaredParents(owned, typed));
  const withOwned = removeFields(merged, all.difference(keep), typed);
  return removeFields(merged, all.difference(fieldsOf(withOwned)).intersection(lastFields), typed);
}

function findConflicts(managers: Managers, { added, modified }: Comparison, own: string): FieldConflict[] {
  const changed = added.union(modified);
  return [...managers].flatMap(([id, manager]) =>
    id === own ? [] : [...manager.fields.intersection(changed).paths()].map((path) => ({ manager, path })),
  );
}

function ignoredFields(paths: readonly (readonly string[])[]): FieldSet {
  const fields = new FieldSet();
  for (const path of paths) fields.insert(path.map((name) => `f:${name}`));
  return fields;
}

function ignoring({ added, modified, removed }: Comparison, ignored: FieldSet): Comparison {
  return { added: added.without(ignored), modified: modified.without(ignored), removed: removed.without(ignored) };
}

function withManagers(object: UnstructuredObject, managers: Managers): UnstructuredObject {
  return { ...object, metadata: { ...object.metadata, managedFields: formatManagers(managers) } };
}

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The conflicts that remain when kubectl takes over what it used to apply itself: a field that kubectl's annotation says
 * it applied, and that still has that value, is kubectl's whoever the entries name. Only the manager `kubectl` may.
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
  return conflicts.filter(({ path }) => !own.intersects(setOf(path)));
}

/** Keeps the annotation in step, so that a client-side apply after this one knows what was applied. */
function withLastApplied(object: UnstructuredObject, applied: UnstructuredObject): UnstructuredObject {
  if (object.metadata.annotations?.[annotation] === undefined) return object;
  const { [annotation]: _, ...annotations } = applied.metadata.annotations ?? {};
  const metadata = { ...applied.metadata, ...(applied.metadata.annotations ? { annotations } : {}) };
  const value = `${JSON.stringify(sortMembers({ ...applied, metadata }))}\n`;
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
    // Somebody else's text under kubectl's name says nothing about who applied what.
    return undefined;
  }
}

function setOf(path: readonly string[]): FieldSet {
  const set = new FieldSet();
  set.insert(path);
  return set;
}
