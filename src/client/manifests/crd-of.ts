import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

interface CrdContent {
  readonly schema: object;
  /** Further fields of the only version. */
  readonly version?: object;
  /** Further names. */
  readonly names?: object;
}

/** Returns the CRD of a kind that has one version. */
export function crdOf(
  { group, version: name, kind, listKind, plural, scope }: Kind,
  { schema, version, names }: CrdContent,
): UnstructuredObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, listKind, plural, singular: kind.toLowerCase(), ...names },
      versions: [{ name, served: true, storage: true, ...version, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** The schema of an object with any fields. */
export const openSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
