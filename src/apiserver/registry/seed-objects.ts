import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Store } from "../storage/store.ts";
import { systemPriorityClasses } from "./strategies/priority-class.ts";

interface NewMeta {
  readonly uid: string;
  readonly creationTimestamp: string;
}

const systemNamespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Creates what every cluster has, where it is missing: namespaces, the priorities of its own pods, its own service. */
export function seedObjects(store: Store, meta: () => NewMeta): void {
  const namespaces = store.collection({ group: "", plural: "namespaces" });
  const priorities = store.collection({ group: "scheduling.k8s.io", plural: "priorityclasses" });
  const services = store.collection({ group: "", plural: "services" });
  const objects = [
    ...systemNamespaces.map((name) => [namespaces, name, namespace(name)] as const),
    ...systemPriorityClasses.map((each) => [priorities, each.metadata.name, each] as const),
    [services, "default/kubernetes", apiService] as const,
  ];
  for (const [collection, name, { metadata, ...content }] of objects) {
    const object = { ...content, metadata: { ...metadata, ...meta() } };
    if (!collection.get(name)) store.commit(collection, name, { previous: undefined, object });
  }
}

/** How pods would find the API server. */
const apiService: UnstructuredObject = {
  kind: "Service",
  apiVersion: "v1",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    clusterIP: "10.96.0.1",
    clusterIPs: ["10.96.0.1"],
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    sessionAffinity: "None",
    type: "ClusterIP",
  },
  status: { loadBalancer: {} },
};

function namespace(name: string): UnstructuredObject {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
