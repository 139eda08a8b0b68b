import type { DeepReadonly, KubeObject, ObjectMeta } from "../../apimachinery/meta.ts";

/** How an event says which object it is about. */
export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

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

let lastStamp = 0n;

/** The name and namespace of a new event about an object. */
export function eventMetadata({ metadata }: DeepReadonly<KubeObject>): ObjectMeta {
  // Two events of one object in the same nanosecond would have the same name.
  const now = BigInt(Date.now()) * 1_000_000n;
  lastStamp = now > lastStamp ? now : lastStamp + 1n;
  return { name: `${metadata.name ?? ""}.${lastStamp.toString(16)}`, namespace: metadata.namespace ?? "default" };
}
