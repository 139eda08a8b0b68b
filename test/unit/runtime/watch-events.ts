import type { Named, UnstructuredObject } from "../../../src/apimachinery/meta.ts";

/** Returns an object of the namespace "n", which has this version. */
export function stored(name: string, version: number): Named<UnstructuredObject> {
  return { metadata: { namespace: "n", name, resourceVersion: String(version) } };
}

export function event(
  type: string,
  name: string,
  version: number,
): { type: string; object: Named<UnstructuredObject> } {
  return { type, object: stored(name, version) };
}

export function bookmark(version: number, annotations?: Record<string, string>): object {
  return { type: "BOOKMARK", object: { metadata: { resourceVersion: String(version), annotations } } };
}

/** The bookmark that ends the initial events of a watch. */
export function initialEnd(version: number): object {
  return bookmark(version, { "k8s.io/initial-events-end": "true" });
}
