import { compareText } from "../../apimachinery/compare-text.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { ManagedFieldsEntry, UnstructuredObject } from "../../apimachinery/meta.ts";
import {
  adaptFields,
  bare,
  compareVersions,
  findUndivided,
  type Comparisons,
  type FindVersion,
} from "./kind-versions.ts";
import { FieldSet } from "./field-set.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { compareObjects, type Comparison } from "./compare-objects.ts";
import { typedObject } from "./typed-node.ts";

/** An owner of fields: one per manager, operation, version and subresource. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Managers by `managerId`. */
export type Managers = Map<string, Manager>;

/** Returns the identity of a manager. One that applies stays the same in another version; one that updates does not. */
export function managerId(manager: Pick<Manager, "manager" | "operation" | "apiVersion" | "subresource">): string {
  const { operation, apiVersion, subresource } = manager;
  return `${operation}\n${operation === "Apply" ? "" : apiVersion}\n${subresource}\n${manager.manager}`;
}

/** Parses `metadata.managedFields`; `undefined` if an entry is not valid. */
export function parseManagers(entries: readonly ManagedFieldsEntry[] | undefined): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of entries ?? []) {
    const { manager = "", operation, apiVersion = "", subresource = "", time } = entry;
    if (operation !== "Apply" && operation !== "Update") return undefined;
    if (entry.fieldsType !== "FieldsV1" || apiVersion === "") return undefined;
    const fields = FieldSet.fromJson(entry.fieldsV1);
    const read = { manager, operation, apiVersion, subresource, time, fields };
    managers.set(managerId(read), read);
  }
  return managers;
}

/**
 * Formats managers in the server's order: appliers first, then by time and name. Managers without fields are left out.
 */
export function formatManagers(managers: Iterable<Manager>): ManagedFieldsEntry[] {
  return [...managers]
    .filter(({ fields }) => !fields.isEmpty)
    .sort(compareManagers)
    .map(entryOf);
}

function entryOf({ manager, operation, apiVersion, time, fields, subresource }: Manager): ManagedFieldsEntry {
  const fieldsV1 = fields.toJson();
  const entry: ManagedFieldsEntry =
    time === undefined
      ? { manager, operation, apiVersion, fieldsType: "FieldsV1", fieldsV1 }
      : { manager, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1 };
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

const maxUpdaters = 10;

/**
 * Merges the oldest updaters of a version into one, so that managedFields of an object with many writers stay small.
 */
function capUpdaters(managers: Managers): void {
  if (managers.size <= maxUpdaters) return;
  const updaters = [...managers.values()].filter(({ operation }) => operation === "Update").sort(compareManagers);
  const oldest = new Map<string, Manager>();
  let left = updaters.length;
  for (const updater of updaters) {
    if (left <= maxUpdaters) return;
    const { apiVersion, time } = updater;
    const first = oldest.get(apiVersion);
    if (first) {
      managers.delete(managerId(first));
      managers.delete(managerId(updater));
      left--;
    }
    const fields = first ? first.fields.union(updater.fields) : updater.fields;
    const bucket = {
      manager: "ancient-changes",
      operation: "Update",
      apiVersion,
      subresource: "",
      time,
      fields,
    } as const;
    if (first) managers.set(managerId(bucket), bucket);
    oldest.set(apiVersion, first ? bucket : updater);
  }
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? "", b.time ?? "") ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

export interface UpdateTracking {
  /** The schema of the kind in the request's version. */
  readonly schema: JsonSchema | undefined;
  readonly findVersion?: FindVersion;
  /** The live object; `undefined` on create. */
  readonly before: UnstructuredObject | undefined;
  /** The content of a new, empty object of the kind, which no manager owns. */
  readonly empty?: Readonly<Record<string, unknown>> | undefined;
  /** The object after decoding and defaulting, with the managedFields that the request sent. */
  readonly after: UnstructuredObject;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** The time in RFC 3339 with seconds, if the entry has one. */
  readonly now: string | undefined;
}

/**
 * Returns the managedFields after a create, update or patch: added and changed fields belong to the manager, removed
 * fields to none. An update without changes changes no entry and no time. A request resets tracking by sending one empty
 * entry; the next apply starts it again. Returns `undefined` if the version of a manager cannot divide the object.
 */
export async function trackUpdate(update: UpdateTracking): Promise<ManagedFieldsEntry[] | undefined> {
  const { before, after, apiVersion, findVersion } = update;
  const tracking = startTracking(update);
  const { managers, comparison, kept } = tracking;
  if (kept) {
    const undivided = await findUndivided({ object: bare(after), apiVersion }, named(kept), findVersion);
    return undivided ? undefined : kept;
  }
  const written = { before: before ?? blankOf(after), after, apiVersion, comparison };
  const comparisons = await compareVersions(written, managers.values(), findVersion);
  return "problem" in comparisons ? undefined : finishTracking(update, tracking, comparisons);
}

/** Returns the managedFields after a write like `trackUpdate`, in the same turn, for a kind that has one version. */
export function trackOwnUpdate(update: Omit<UpdateTracking, "findVersion">): ManagedFieldsEntry[] {
  const tracking = startTracking(update);
  return tracking.kept ?? finishTracking(update, tracking, { get: () => tracking.comparison });
}

interface Tracking {
  readonly managers: Managers;
  readonly comparison: Comparison;
  /** The entries of a write that changes no owner. */
  readonly kept: ManagedFieldsEntry[] | undefined;
}

function startTracking(update: UpdateTracking): Tracking {
  const { before, after } = update;
  const comparison = compareObjects(before ?? update.empty, after, typedObject(update.schema));
  const sent = sentEntries(update);
  const managers = sent ? managersIn(sent, before) : liveManagers(before);
  const adapted = adaptManagers(managers, update);
  const keepsOwners = before && !sent && isUnchanged(comparison);
  if (keepsOwners && !adapted) return { managers, comparison, kept: before.metadata.managedFields ?? [] };
  const kept = keepsOwners || (before && managers.size === 0) ? formatManagers(managers.values()) : undefined;
  return { managers, comparison, kept };
}

function finishTracking(
  { manager, apiVersion, subresource = "", now }: UpdateTracking,
  { managers, comparison }: Tracking,
  comparisons: Pick<Comparisons, "get">,
): ManagedFieldsEntry[] {
  disown(managers, comparisons);
  const gained = ownable(comparison.added.union(comparison.modified));
  if (!gained.isEmpty) {
    const updater: Manager = { manager, operation: "Update", apiVersion, subresource, time: now, fields: gained };
    const id = managerId(updater);
    const known = managers.get(id);
    managers.set(id, known ? { ...known, time: now, fields: known.fields.union(gained) } : updater);
    capUpdaters(managers);
  }
  return formatManagers(managers.values());
}

/** Returns the empty object with which a new one is compared in the versions of managers that it brings. */
function blankOf({ apiVersion, kind }: UnstructuredObject): UnstructuredObject {
  return { apiVersion, kind, metadata: {} } as UnstructuredObject;
}

/** Returns the entries that name their version. */
function named(entries: readonly ManagedFieldsEntry[]): { readonly apiVersion: string }[] {
  return entries.flatMap(({ apiVersion }) => (apiVersion ? [{ apiVersion }] : []));
}

function isUnchanged({ added, modified, removed }: Comparison): boolean {
  return added.isEmpty && modified.isEmpty && removed.isEmpty;
}

/**
 * Makes managers own the fields that their versions have now, since a schema may change. Returns true if one owns other
 * fields than before.
 */
export function adaptManagers(
  managers: Managers,
  { schema, apiVersion, findVersion }: Pick<UpdateTracking, "schema" | "apiVersion" | "findVersion">,
): boolean {
  let changed = false;
  for (const [id, manager] of managers) {
    const own = manager.apiVersion === apiVersion ? schema : findVersion?.(manager.apiVersion)?.schema;
    const fields = own ? adaptFields(manager.fields, typedObject(own)) : manager.fields;
    if (fields === manager.fields) continue;
    managers.set(id, { ...manager, fields });
    changed = true;
  }
  return changed;
}

/** Removes changed and removed fields from all managers but the spared one, each as its version divides the object. */
export function disown(managers: Managers, comparisons: Pick<Comparisons, "get">, spared?: string): void {
  for (const [id, manager] of managers) {
    if (id === spared) continue;
    const { added, modified, removed } = comparisons.get(manager.apiVersion)!;
    const lost = added.union(modified).union(removed);
    if (!manager.fields.intersects(lost)) continue;
    const fields = manager.fields.difference(lost);
    if (fields.isEmpty) managers.delete(id);
    else managers.set(id, { ...manager, fields });
  }
}

/** Removes the fields of the identity, which no manager owns. */
export function ownable(fields: FieldSet): FieldSet {
  return fields.difference(identityFields);
}

const identityFields = new FieldSet();
for (const field of ["apiVersion", "kind", "metadata"]) identityFields.insert([`f:${field}`]);
for (const field of "name namespace creationTimestamp selfLink uid clusterName generation managedFields resourceVersion".split(
  " ",
)) {
  identityFields.insert(["f:metadata", `f:${field}`]);
}

/**
 * Returns the entries that a request edits or brings from another object; `undefined` if they equal the live object's.
 * A subresource may not edit them.
 */
function sentEntries({ before, after, subresource }: UpdateTracking): readonly ManagedFieldsEntry[] | undefined {
  const sent = after.metadata.managedFields;
  return subresource || sent === undefined || equalJson(sent, before?.metadata.managedFields) ? undefined : sent;
}

/** Returns the managers that a request sent. Invalid entries are ignored. */
function managersIn(sent: readonly ManagedFieldsEntry[], before: UnstructuredObject | undefined): Managers {
  if (sent.length === 1 && Object.keys(sent[0]!).length === 0) return new Map();
  const managers = parseManagers(sent);
  return managers && managers.size > 0 ? managers : liveManagers(before);
}

function liveManagers(before: UnstructuredObject | undefined): Managers {
  return parseManagers(before?.metadata.managedFields) ?? new Map();
}
