import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Store } from "../storage/store.ts";

export const systemNamespaces: readonly string[] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Creates the namespaces that every cluster has, where they are missing. */
export function seedNamespaces(store: Store, meta: () => { uid: string; creationTimestamp: string }): void {
  const collection = store.collection({ group: "", plural: "namespaces" });
  for (const name of systemNamespaces)
    if (!collection.get(name)) store.commit(collection, name, { previous: undefined, object: namespace(name, meta()) });
}

function namespace(name: string, meta: { uid: string; creationTimestamp: string }): UnstructuredObject {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, ...meta, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
