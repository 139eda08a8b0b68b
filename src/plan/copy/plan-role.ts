import { builtinEntries } from "../../apiserver/kinds/builtin-entries.ts";
import { apiVersionOf } from "../../apimachinery/kind.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { basicResources, parseResource, wantedBy, type WantedResource } from "./wanted-resources.ts";

/** What pod templates refer to, and what owns pods. */
const related = ["configmaps", "persistentvolumeclaims", "secrets", "replicasets.apps"].map(parseResource);

/** Returns a ClusterRole that allows to read what a copy needs, and nothing else. */
export function planRole(
  manifests: readonly UnstructuredObject[],
  also: readonly WantedResource[] = [],
): UnstructuredObject {
  const kinds = new Set(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const applied = builtinEntries()
    .map(({ resource }) => ({ ...resource, names: [] }))
    .filter((resource) => kinds.has(`${apiVersionOf(resource)} ${resource.kind}`));
  const wanted = [...basicResources, ...related, ...wantedBy(manifests), ...applied, ...also];
  const rules = [...groupBy(wanted, ({ group }) => group)].map(([group, resources]) => ({
    apiGroups: [group],
    resources: [...new Set(resources.map(({ plural }) => plural))].sort(),
    verbs: ["get", "list"],
  }));
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "tsop-plan" },
    rules: rules.toSorted((a, b) => (a.apiGroups[0]! < b.apiGroups[0]! ? -1 : 1)),
  };
}
