import type { Kind } from "../apimachinery/kind.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";

/**
 * Returns a CRD, for `TestEnvironment`'s `crds`, of a kind that is defined elsewhere. Its schema accepts every field.
 *
 * @example
 * const env = new TestEnvironment({ crds: [openCrd(Memcached)] });
 */
export function openCrd({ group, version, kind, listKind, plural, scope }: Kind): UnstructuredObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, listKind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
