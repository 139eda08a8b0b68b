import { compareText } from "../../apimachinery/compare-text.ts";
import type { ManagedFieldsEntry } from "../../apimachinery/meta.ts";
import { FieldSet } from "./field-set.ts";

/** Who owns what: one entry a manager, operation, version and subresource. */
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

/** Whoever applies stays the same manager when it moves to another version; whoever updates does not. */
export function managerId(manager: Pick<Manager, "manager" | "operation" | "apiVersion" | "subresource">): string {
  const { operation, apiVersion, subresource } = manager;
  return `${operation}\n${operation === "Apply" ? "" : apiVersion}\n${subresource}\n${manager.manager}`;
}

/** Reads `metadata.managedFields`; `undefined` when an entry is not one that a server writes. */
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

/** Writes them in the server's order: appliers first, then by time and name. Managers without fields are left out. */
export function formatManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()]
    .filter(({ fields }) => !fields.isEmpty)
    .sort(compareManagers)
    .map(entryOf);
}

function entryOf({ manager, operation, apiVersion, time, fields, subresource }: Manager): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = { manager, operation, apiVersion };
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = fields.toJson();
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

const maxUpdaters = 10;

/** Merges the oldest updaters of a version into one, so that an object with many writers does not grow without end. */
export function capUpdaters(managers: Managers): void {
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
