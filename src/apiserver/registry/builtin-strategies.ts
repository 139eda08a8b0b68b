import { crdStrategy } from "./strategies/custom-resource-definition.ts";
import { defaultEndpoints, defaultEndpointSlice } from "./defaults/network-defaults.ts";
import { defaultCsiDriver, defaultNode } from "./defaults/policy-defaults.ts";
import { defaultPodTemplate, defaultReplicationController } from "./defaults/workload-defaults.ts";
import type { ServedResource } from "./served-resource.ts";
import {
  mutatingBindingStrategy,
  mutatingPolicyStrategy,
  validatingBindingStrategy,
  validatingPolicyStrategy,
} from "./strategies/admission-policy.ts";
import { autoscalerStrategy, oldAutoscalerStrategy } from "./strategies/autoscaler.ts";
import { cronJobStrategy } from "./strategies/cron-job.ts";
import { disruptionBudgetStrategy } from "./strategies/disruption-budget.ts";
import { ingressStrategy } from "./strategies/ingress.ts";
import { networkPolicyStrategy } from "./strategies/network-policy.ts";
import { ingressClassStrategy, storageClassStrategy } from "./strategies/classes.ts";
import { webhookConfigurationStrategy } from "./strategies/webhook-configuration.ts";
import { certificateRequestStrategy } from "./strategies/certificate-request.ts";
import { configMapStrategy, secretStrategy } from "./strategies/configuration.ts";
import { defaultEvent } from "./defaults/event-defaults.ts";
import { leaseErrors } from "./strategies/lease.ts";
import { desiredSpec } from "./strategies/immutable.ts";
import { jobStrategy } from "./strategies/job.ts";
import { namespaceStrategy } from "./strategies/namespace.ts";
import { priorityClassStrategy } from "./strategies/priority-class.ts";
import { podStrategy } from "./strategies/pod.ts";
import { roleBindingStrategy } from "./strategies/role-binding.ts";
import { roleStrategy } from "./strategies/role.ts";
import { serviceStrategy } from "./strategies/service.ts";
import { volumeClaimStrategy, volumeStrategy } from "./strategies/volume-claim.ts";
import {
  daemonSetStrategy,
  deploymentStrategy,
  replicaSetStrategy,
  statefulSetStrategy,
} from "./strategies/workload.ts";
import type { Strategy } from "./strategy.ts";

const plain: Strategy = { unconditionalUpdate: true };
const madeByUpdate: Strategy = { ...plain, createsOnUpdate: true };
/** Kinds that are never overwritten blindly. */
const careful: Strategy = {};
const counted: Strategy = { ...plain, generationOf: desiredSpec };

const strategies: Readonly<Record<string, Strategy>> = {
  CertificateSigningRequest: certificateRequestStrategy,
  ClusterRole: roleStrategy,
  ClusterRoleBinding: roleBindingStrategy,
  ConfigMap: configMapStrategy,
  CronJob: cronJobStrategy,
  CSIDriver: { ...careful, returnsDeleted: true, applyDefaults: defaultCsiDriver },
  CSINode: { ...careful, returnsDeleted: true },
  CSIStorageCapacity: careful,
  CustomResourceDefinition: crdStrategy,
  DaemonSet: daemonSetStrategy,
  Deployment: deploymentStrategy,
  EndpointSlice: {
    ...plain,
    applyDefaults: defaultEndpointSlice,
    generationOf: ({ metadata: _metadata, ...content }) => content,
  },
  Endpoints: { ...madeByUpdate, applyDefaults: defaultEndpoints },
  Event: { ...madeByUpdate, applyDefaults: defaultEvent },
  HorizontalPodAutoscaler: autoscalerStrategy,
  Ingress: ingressStrategy,
  IngressClass: ingressClassStrategy,
  Job: jobStrategy,
  // Leader election depends on it: a lease is never overwritten blindly.
  Lease: { validate: leaseErrors, createsOnUpdate: true },
  LimitRange: madeByUpdate,
  MutatingAdmissionPolicy: mutatingPolicyStrategy,
  MutatingAdmissionPolicyBinding: mutatingBindingStrategy,
  MutatingWebhookConfiguration: webhookConfigurationStrategy,
  Namespace: namespaceStrategy,
  NetworkPolicy: networkPolicyStrategy,
  Node: { ...plain, applyDefaults: defaultNode, bringsStatus: true },
  PersistentVolume: volumeStrategy,
  PersistentVolumeClaim: volumeClaimStrategy,
  Pod: podStrategy,
  PodDisruptionBudget: disruptionBudgetStrategy,
  PodTemplate: {
    ...plain,
    returnsDeleted: true,
    applyDefaults: defaultPodTemplate,
    generationOf: (podTemplate) => podTemplate["template"],
  },
  PriorityClass: priorityClassStrategy,
  ReplicaSet: replicaSetStrategy,
  ReplicationController: {
    ...counted,
    returnsDeleted: true,
    applyDefaults: defaultReplicationController,
    orphansByDefault: "",
  },
  ResourceQuota: { ...plain, returnsDeleted: true },
  Role: roleStrategy,
  RoleBinding: roleBindingStrategy,
  RuntimeClass: careful,
  Secret: secretStrategy,
  Service: serviceStrategy,
  ServiceAccount: { ...plain, returnsDeleted: true },
  StatefulSet: statefulSetStrategy,
  StorageClass: storageClassStrategy,
  ValidatingWebhookConfiguration: webhookConfigurationStrategy,
  ValidatingAdmissionPolicy: validatingPolicyStrategy,
  ValidatingAdmissionPolicyBinding: validatingBindingStrategy,
  VolumeAttachment: { ...careful, returnsDeleted: true },
  VolumeAttributesClass: { ...plain, returnsDeleted: true },
};

/** The strategy of a built-in kind; most need nothing special. */
export function builtinStrategy({ group, version, kind }: ServedResource): Strategy {
  if (group === "autoscaling" && version === "v1") return oldAutoscalerStrategy;
  return strategies[kind] ?? plain;
}
