import type { NormalObject } from "../world/object-state.ts";

/** Returns the finalizers of an object. */
export function finalizersIn(object: NormalObject): string[] {
  return [...object].filter(([path]) => path.startsWith("metadata.finalizers.")).map(([, name]) => name);
}

/** Says why an object that was deleted still exists. */
export function finalizersOf(object: NormalObject): string {
  const names = finalizersIn(object);
  return names.length > 0 ? `the finalizer ${names.join(", ")} is not removed` : "it is not removed";
}
