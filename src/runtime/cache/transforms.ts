import type { KubeObject } from "../../apimachinery/meta.ts";

/** Removes `metadata.managedFields`, in place: the object has just been parsed and is not shared yet. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields) delete object.metadata.managedFields;
  return object;
}
