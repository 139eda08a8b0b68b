import type { ManagedFieldsEntry } from "../../apimachinery/meta.ts";
import { FieldSet } from "./field-set.ts";
import { formatManagers, managerId, parseManagers, type Manager } from "./managers.ts";

/** The one field of a scaled object that its Scale shows. */
export interface ScaledField {
  /** The names on the path to the replicas. */
  readonly path: readonly string[];
  readonly apiVersion: string;
}

const shown = FieldSet.of(["f:spec", "f:replicas"]);

/** Returns the owners of an object's replicas as owners of those of its Scale. */
export function scaleManagers(entries: readonly ManagedFieldsEntry[] = [], field: ScaledField): ManagedFieldsEntry[] {
  const replicas = replicasOf(field);
  const owners = managersIn(entries)
    .filter(({ fields }) => fields.intersects(replicas))
    .map((manager) => ({ ...manager, apiVersion: "autoscaling/v1", fields: shown }));
  return format(owners);
}

/** Returns the managers of an object after its Scale got others: a manager that is not among these loses the replicas. */
export function managersAfterScale(
  entries: readonly ManagedFieldsEntry[] = [],
  scaleEntries: readonly ManagedFieldsEntry[] = [],
  field: ScaledField,
): ManagedFieldsEntry[] {
  const replicas = replicasOf(field);
  const before = managersIn(entries);
  const owners = new Map(managersIn(scaleEntries).map((manager) => [nameOf(manager), manager]));
  const kept = before.map((manager) =>
    owners.has(nameOf(manager)) ? manager : { ...manager, fields: manager.fields.difference(replicas) },
  );
  for (const manager of before) owners.delete(nameOf(manager));
  const gained = [...owners.values()].map((owner) => ({ ...owner, apiVersion: field.apiVersion, fields: replicas }));
  return format([...kept, ...gained]);
}

function replicasOf({ path }: ScaledField): FieldSet {
  return FieldSet.of(path.map((name) => `f:${name}`));
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
