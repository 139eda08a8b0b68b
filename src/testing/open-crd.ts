import type { Kind } from "../apimachinery/kind.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { crdOf, openSchema } from "../manifests/crd-of.ts";

/**
 * Returns a CRD, for `TestEnvironment`'s `crds`, of a kind that is defined elsewhere. Its schema accepts every field.
 *
 * @example
 * const env = new TestEnvironment({ crds: [openCrd(Memcached)] });
 */
export function openCrd(kind: Kind): UnstructuredObject {
  return crdOf(kind, { schema: openSchema });
}
