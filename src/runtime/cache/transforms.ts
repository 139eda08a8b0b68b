import type { KubeObject } from "../../apimachinery/meta.ts";

/** Drops `metadata.managedFields`, in place: the object has just been parsed, and nobody else has it. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields) delete object.metadata.managedFields;
  return object;
}
