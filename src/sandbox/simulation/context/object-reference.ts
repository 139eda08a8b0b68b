import { apiVersionOf, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";
import { objectReference, type ObjectReference } from "../../../apimachinery/object-reference.ts";

/** A reference to an object of a kind; what is in a list does not say what it is. */
export function referenceTo(kind: Kind, { metadata }: KubeObject): ObjectReference {
  return objectReference({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata });
}
