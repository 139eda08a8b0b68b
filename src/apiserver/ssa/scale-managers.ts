import type { ManagedFieldsEntry } from "../../apimachinery/meta.ts";
import { FieldSet } from "./field-set.ts";
import { formatManagers, managerId, parseManagers, type Manager } from "./managers.ts";

/** The one field of a scaled object that its Scale shows. */
export interface ScaledField {
  /** The version of the request. */
  readonly apiVersion: string;
  /** Returns the names on the path to the replicas in a version; `undefined` if that version can't be scaled. */
  pathIn(apiVersion: string): readonly string[] | undefined;
}

const shown = FieldSet.of(["f:spec", "f:replicas"]);

/** Returns the owners of an object's replicas as owners of those of its Scale. */
export function scaleManagers(entries: readonly ManagedFieldsEntry[] = [], field: ScaledField): ManagedFieldsEntry[] {
  const owners = managersIn(entries)
    .filter(({ fields, apiVersion }) => fields.intersects(replicasIn(field, apiVersion)))
    .map((manager) => ({ ...manager, apiVersion: "autoscaling/v1", fields: shown }));
  return format(owners);
}

/** Returns the managers of an object after its Scale got others: a manager that is not among these loses the replicas. */
export function managersAfterScale(
  entries: readonly ManagedFieldsEntry[] = [],
  scaleEntries: readonly ManagedFieldsEntry[] = [],
  field: ScaledField,
): ManagedFieldsEntry[] {
  const before = managersIn(entries);
  const owners = new Map(managersIn(scaleEntries).map((manager) => [nameOf(manager), manager]));
  const kept = before.map((manager) =>
    owners.has(nameOf(manager))
      ? manager
      : { ...manager, fields: manager.fields.difference(replicasIn(field, manager.apiVersion)) },
  );
  for (const manager of before) owners.delete(nameOf(manager));
  const replicas = replicasIn(field, field.apiVersion);
  const gained = [...owners.values()].map((owner) => ({ ...owner, apiVersion: field.apiVersion, fields: replicas }));
  return format([...kept, ...gained]);
}

function replicasIn(field: ScaledField, apiVersion: string): FieldSet {
  const path = field.pathIn(apiVersion);
  return path ? FieldSet.of(path.map((name) => `f:${name}`)) : new FieldSet();
}

function managersIn(entries: readonly ManagedFieldsEntry[]): Manager[] {
  return [...(parseManagers(entries)?.values() ?? [])];
}

/** Identifies a manager in whatever version it wrote the object. */
function nameOf({ operation, subresource, manager }: Manager): string {
  return `${operation}\n${subresource}\n${manager}`;
}

function format(managers: readonly Manager[]): ManagedFieldsEntry[] {
  return formatManagers(new Map(managers.map((manager) => [managerId(manager), manager])));
}
