import type { DeepReadonly, KubeObject } from "./meta.ts";

/** A reference to another object. */
export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

/**
 * Creates a reference to an object with type metadata, such as one that a client returned: for the objects that a status
 * names. It contains the object's `resourceVersion`, which changes with each write.
 *
 * @example
 * const { items } = await client.list(Deployment, { namespace: "default" });
 * const references = items.map(objectReference);
 */
export function objectReference({ apiVersion, kind, metadata }: DeepReadonly<KubeObject>): ObjectReference {
  const { name = "", namespace, uid, resourceVersion } = metadata;
  return {
    ...(apiVersion && { apiVersion }),
    ...(kind && { kind }),
    ...(namespace && { namespace }),
    name,
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}
