import type { ManagedFieldsEntry } from "../../apimachinery/meta.ts";
import { FieldSet } from "./field-set.ts";
import { formatManagers, parseManagers, type Managers } from "./managers.ts";

/** The one field of a scaled object that its Scale shows. */
export interface ScaledField {
  /** The version of the request. */
  readonly apiVersion: string;
  /** Returns the names on the path to the replicas in a version; `undefined` if that version can't be scaled. */
  pathIn(apiVersion: string): readonly string[] | undefined;
}

const shown = FieldSet.of(["f:spec", "f:replicas"]);

/** Returns the owners of an object's replicas as owners of its Scale's replicas. */
export function scaleManagers(entries: readonly ManagedFieldsEntry[] = [], field: ScaledField): ManagedFieldsEntry[] {
  const owners = [...managersIn(entries).values()]
    .filter(({ fields, apiVersion }) => fields.intersects(replicasIn(field, apiVersion)))
    .map((manager) => ({ ...manager, apiVersion: "autoscaling/v1", fields: shown }));
  return formatManagers(owners);
}

/**
 * Returns the managers of an object after its Scale got others: a manager that is not among these loses the replicas.
 * One that updates has another identity in the Scale, whose version is part of it. Like in a real server, it gets the
 * replicas back in an entry of its own without a time, so that a write of the same replicas is a change.
 */
export function managersAfterScale(
  entries: readonly ManagedFieldsEntry[] = [],
  scaleEntries: readonly ManagedFieldsEntry[] = [],
  field: ScaledField,
): ManagedFieldsEntry[] {
  const before = managersIn(entries);
  const owners = managersIn(scaleEntries);
  const kept = [...before].map(([id, manager]) => {
    const replicas = replicasIn(field, manager.apiVersion);
    if (!manager.fields.intersects(replicas) || owners.delete(id)) return manager;
    return { ...manager, fields: manager.fields.difference(replicas) };
  });
  const replicas = replicasIn(field, field.apiVersion);
  const gained = [...owners]
    .filter(([, { fields }]) => fields.intersects(shown))
    .map(([id, owner]) => ({
      ...owner,
      apiVersion: field.apiVersion,
      time: before.get(id)?.time,
      fields: replicas,
    }));
  return formatManagers([...kept, ...gained]);
}

function replicasIn(field: ScaledField, apiVersion: string): FieldSet {
  const path = field.pathIn(apiVersion);
  return path ? FieldSet.of(path.map((name) => `f:${name}`)) : new FieldSet();
}

function managersIn(entries: readonly ManagedFieldsEntry[]): Managers {
  return parseManagers(entries) ?? new Map();
}
