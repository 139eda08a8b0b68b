import type { ServedResource } from "../registry/served-resource.ts";
import { mutatingAdmissionPolicy, validatingAdmissionPolicy } from "./admissionregistration/admission-policy.ts";
import { mutatingPolicyBinding, validatingPolicyBinding } from "./admissionregistration/admission-policy.ts";
import { webhookConfiguration } from "./admissionregistration/webhook-configuration.ts";
import { customResourceDefinition } from "./apiextensions/custom-resource-definition.ts";
import { apiService } from "./apiregistration/api-service.ts";
import { isSince, kubernetesVersion } from "../../apimachinery/kubernetes-version.ts";
import { daemonSet } from "./apps/daemon-set.ts";
import { deployment, replicaSet, replicationController } from "./apps/deployment.ts";
import { statefulSet, statefulSetBefore137 } from "./apps/stateful-set.ts";
import { autoscalerV1 } from "./autoscaling/autoscaler-v1.ts";
import { horizontalPodAutoscaler } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJob } from "./batch/cron-job.ts";
import { job, jobBefore137 } from "./batch/job.ts";
import type { BuiltinKind } from "./builtin-kind.ts";
import { certificateSigningRequest } from "./certificates/certificate-signing-request.ts";
import { lease, plainKinds } from "./plain-kinds.ts";
import { configMap, secret } from "./core/config-data.ts";
import { endpoints, endpointSlice } from "./core/endpoints.ts";
import { event, eventOfEvents } from "./core/event.ts";
import { limitRange, resourceQuota } from "./core/limit-range.ts";
import { namespace } from "./core/namespace.ts";
import { node } from "./core/node.ts";
import { persistentVolumeClaim, persistentVolume, storageClass } from "./core/persistent-volume.ts";
import { pod } from "./core/pod/pod.ts";
import { service } from "./core/service/service.ts";
import { ingressClass, ingress } from "./networking/ingress.ts";
import { networkPolicy } from "./networking/network-policy.ts";
import { agePrinter } from "./printing/printer.ts";
import { podDisruptionBudget } from "./policy/pod-disruption-budget.ts";
import { roleBinding, role } from "./rbac/role.ts";
import { priorityClass } from "./scheduling/priority-class.ts";

const kinds: Readonly<Record<string, BuiltinKind>> = {
  ...plainKinds,
  ConfigMap: configMap,
  Endpoints: endpoints,
  Event: event,
  LimitRange: limitRange,
  Namespace: namespace,
  Node: node,
  PersistentVolume: persistentVolume,
  PersistentVolumeClaim: persistentVolumeClaim,
  Pod: pod,
  ReplicationController: replicationController,
  ResourceQuota: resourceQuota,
  Secret: secret,
  Service: service,
  ServiceAccount: { returnsDeleted: true, printer: agePrinter },
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": mutatingAdmissionPolicy,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": mutatingPolicyBinding,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhookConfiguration,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": validatingAdmissionPolicy,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": validatingPolicyBinding,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhookConfiguration,
  "apiextensions.k8s.io/CustomResourceDefinition": customResourceDefinition,
  "apiregistration.k8s.io/APIService": apiService,
  "apps/DaemonSet": daemonSet,
  "apps/Deployment": deployment,
  "apps/ReplicaSet": replicaSet,
  "apps/StatefulSet": statefulSet,
  "autoscaling/HorizontalPodAutoscaler": horizontalPodAutoscaler,
  "autoscaling/v1/HorizontalPodAutoscaler": autoscalerV1,
  "batch/CronJob": cronJob,
  "batch/Job": job,
  "certificates.k8s.io/CertificateSigningRequest": certificateSigningRequest,
  "coordination.k8s.io/Lease": lease,
  "discovery.k8s.io/EndpointSlice": endpointSlice,
  "events.k8s.io/Event": eventOfEvents,
  "networking.k8s.io/Ingress": ingress,
  "networking.k8s.io/IngressClass": ingressClass,
  "networking.k8s.io/NetworkPolicy": networkPolicy,
  "policy/PodDisruptionBudget": podDisruptionBudget,
  "rbac.authorization.k8s.io/ClusterRole": role,
  "rbac.authorization.k8s.io/ClusterRoleBinding": roleBinding,
  "rbac.authorization.k8s.io/Role": role,
  "rbac.authorization.k8s.io/RoleBinding": roleBinding,
  "scheduling.k8s.io/PriorityClass": priorityClass,
  "storage.k8s.io/StorageClass": storageClass,
};

type Change = (kind: BuiltinKind) => BuiltinKind;

function without(name: "generationOf" | "printer"): Change {
  return (kind) => {
    const rest = { ...kind };
    delete rest[name];
    return rest;
  };
}

/** How kinds were before a release. The entry of a release goes when no older one is served. */
const before: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  "1.37": {
    "apiextensions.k8s.io/CustomResourceDefinition": without("printer"),
    "apps/StatefulSet": statefulSetBefore137,
    "autoscaling/HorizontalPodAutoscaler": without("generationOf"),
    "autoscaling/v1/HorizontalPodAutoscaler": without("generationOf"),
    "batch/Job": jobBefore137,
  },
};

/** Returns a built-in kind as a version of Kubernetes has it. A key with an API version takes precedence. */
export function kindOf(
  { group, version, kind }: Pick<ServedResource, "group" | "version" | "kind">,
  served: string = kubernetesVersion,
): BuiltinKind {
  const keys = [[group, version, kind].filter(Boolean).join("/"), group ? `${group}/${kind}` : kind];
  const key = keys.find((each) => kinds[each]);
  if (key === undefined) return {};
  const changes = Object.entries(before).flatMap(([release, { [key]: change }]) =>
    change && !isSince(served, release) ? [change] : [],
  );
  return changes.reduce((known, change) => change(known), kinds[key]!);
}
