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

/** Creates a reference to an object with type metadata. */
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
