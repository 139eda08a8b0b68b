import type { KubeObject } from "../apimachinery/meta.ts";

/** Adds a finalizer in place; true if it was not there. */
export function addFinalizer(object: KubeObject, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false;
  (object.metadata.finalizers ??= []).push(finalizer);
  return true;
}

/** Removes a finalizer in place; true if it was there. */
export function removeFinalizer(object: KubeObject, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false;
  object.metadata.finalizers = object.metadata.finalizers!.filter((each) => each !== finalizer);
  return true;
}

export function containsFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}
