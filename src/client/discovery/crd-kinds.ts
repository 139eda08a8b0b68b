import { isConditionTrue, type AnyCondition } from "../../apimachinery/conditions.ts";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** The fields of a CustomResourceDefinition that are read. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly AnyCondition[] | null };
}

/** Returns the kind of a CustomResourceDefinition in each version that it serves. */
export function kindsOfCrd(crd: UnstructuredObject): Kind[] {
  const { group, scope, names, versions } = (crd as unknown as Definition).spec;
  return versions
    .filter(({ served }) => served)
    .map(({ name }) => defineKind({ group, version: name, kind: names.kind, plural: names.plural, scope }));
}

/** Reports whether the server has accepted the names of a CustomResourceDefinition: it is served soon. */
export function isEstablished(crd: UnstructuredObject): boolean {
  return isConditionTrue((crd as unknown as Definition).status?.conditions ?? [], "Established");
}
