import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";

/** Parses an object of a kind. */
export function readObject<T extends KubeObject>(kind: Kind<T>, text: string): Named<T> {
  return stamp(kind, JSON.parse(text));
}

/** Sets the type of an object to the requested kind: projections and list items have another type or none. */
export function stamp<T extends KubeObject>(kind: Kind<T>, object: unknown): Named<T> {
  const result = object as Named<T>;
  result.apiVersion = apiVersionOf(kind);
  result.kind = kind.kind;
  return result;
}
