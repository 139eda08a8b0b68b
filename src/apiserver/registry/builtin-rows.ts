import type { ServedResource, ServedSubresource } from "./served-resource.ts";

const standardVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** group/version · kind · plural · scope · short names · categories · subresources. */
const rows = `
v1 ConfigMap configmaps N cm - -
v1 Endpoints endpoints N ep - -
v1 Event events N ev - -
v1 Namespace namespaces C ns - status,finalize
v1 Node nodes C no - status
v1 PersistentVolumeClaim persistentvolumeclaims N pvc - status
v1 PersistentVolume persistentvolumes C pv - status
v1 Pod pods N po all status,log,binding,eviction
v1 ReplicationController replicationcontrollers N rc all status,scale
v1 Secret secrets N - - -
v1 ServiceAccount serviceaccounts N sa - token
v1 Service services N svc all status
apps/v1 ControllerRevision controllerrevisions N - - -
apps/v1 DaemonSet daemonsets N ds all status
apps/v1 Deployment deployments N deploy all status,scale
apps/v1 ReplicaSet replicasets N rs all status,scale
apps/v1 StatefulSet statefulsets N sts all status,scale
autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers N hpa all status
batch/v1 CronJob cronjobs N cj all status
batch/v1 Job jobs N - all status
coordination.k8s.io/v1 Lease leases N - - -
discovery.k8s.io/v1 EndpointSlice endpointslices N - - -
events.k8s.io/v1 Event events N ev - -
networking.k8s.io/v1 Ingress ingresses N ing - status
networking.k8s.io/v1 IngressClass ingressclasses C - - -
networking.k8s.io/v1 NetworkPolicy networkpolicies N netpol - -
policy/v1 PodDisruptionBudget poddisruptionbudgets N pdb - status
rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings C - - -
rbac.authorization.k8s.io/v1 ClusterRole clusterroles C - - -
rbac.authorization.k8s.io/v1 RoleBinding rolebindings N - - -
rbac.authorization.k8s.io/v1 Role roles N - - -
storage.k8s.io/v1 StorageClass storageclasses C sc - -
scheduling.k8s.io/v1 PriorityClass priorityclasses C pc - -
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration mutatingwebhookconfigurations C - api-extensions -
admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration validatingwebhookconfigurations C - api-extensions -
apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions C crd,crds api-extensions status
`;

/** The built-in resources that are served. */
export function builtinRows(): ServedResource[] {
  return rows.trim().split("\n").map(parseRow);
}

function parseRow(line: string): ServedResource {
  const [apiVersion, kind, plural, scope, shortNames, categories, subresources] = line.split(" ") as RowCells;
  const [group, version] = apiVersion.includes("/") ? (apiVersion.split("/") as [string, string]) : ["", apiVersion];
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: list(shortNames),
    categories: list(categories),
    namespaced: scope === "N",
    verbs: standardVerbs,
    subresources: list(subresources).map((name) => subresource(name, kind)),
    schema: () => undefined,
  };
}

type RowCells = [string, string, string, string, string, string, string];

function list(cell: string): string[] {
  return cell === "-" ? [] : cell.split(",");
}

function subresource(name: string, kind: string): ServedSubresource {
  switch (name) {
    case "scale":
      return { name, kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] };
    case "eviction":
      return { name, kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] };
    case "binding":
      return { name, kind: "Binding", verbs: ["create"] };
    case "token":
      return { name, kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] };
    case "log":
      return { name, kind, verbs: ["get"] };
    case "finalize":
      return { name, kind, verbs: ["update"] };
    default:
      return { name, kind, verbs: ["get", "patch", "update"] };
  }
}
