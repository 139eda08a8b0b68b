import { apiVersionOf, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";

/** How an object names another one. */
export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

export function referenceTo(kind: Kind, { metadata }: KubeObject): ObjectReference {
  const { name = "", namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...(namespace && { namespace }),
    name,
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}
