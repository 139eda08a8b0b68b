import type { Kind } from "../apimachinery/kind.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { crdOf, openSchema } from "../client/manifests/crd-of.ts";

/** Without this annotation, servers refuse CRDs of the groups of the Kubernetes project, such as gateway.networking.k8s.io. */
const annotations = { "api-approved.kubernetes.io": "unapproved, for tests" };

/**
 * Returns a CRD, for `TestEnvironment`'s `crds`, of a kind that is defined elsewhere. Its schema accepts every field, and
 * it has the subresource `status` if the kind has it.
 *
 * @example
 * const env = new TestEnvironment({ crds: [openCrd(Memcached)] });
 */
export function openCrd(kind: Kind): UnstructuredObject {
  const version = kind.subresources.includes("status") ? { subresources: { status: {} } } : {};
  const { metadata, ...crd } = crdOf(kind, { schema: openSchema, version });
  return { ...crd, metadata: { ...metadata, annotations } };
}
