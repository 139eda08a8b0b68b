import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";

/** An object of a kind from its JSON. */
export function readObject<T extends KubeObject>(kind: Kind<T>, text: string): Named<T> {
  return stamp(kind, JSON.parse(text));
}

/** Projections and list items come with another type or none: the kind that was asked for is what the caller has. */
export function stamp<T extends KubeObject>(kind: Kind<T>, object: unknown): Named<T> {
  const result = object as Named<T>;
  result.apiVersion = apiVersionOf(kind);
  result.kind = kind.kind;
  return result;
}
