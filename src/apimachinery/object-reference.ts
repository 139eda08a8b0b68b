import type { DeepReadonly, KubeObject } from "./meta.ts";

/** How an object names another one. */
export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

/** A reference to an object that says what it is. */
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
