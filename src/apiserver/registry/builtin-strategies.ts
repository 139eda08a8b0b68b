import { crdStrategy } from "../crd/crd-strategy.ts";
import {
  defaultEndpoints,
  defaultEndpointSlice,
  defaultIngress,
  defaultNetworkPolicy,
} from "./defaults/network-defaults.ts";
import { defaultAutoscaler, defaultStorageClass, defaultWebhookConfiguration } from "./defaults/policy-defaults.ts";
import { defaultReplicationController } from "./defaults/workload-defaults.ts";
import type { ServedResource } from "./served-resource.ts";
import { certificateRequestStrategy } from "./strategies/certificate-request.ts";
import { configMapStrategy, secretStrategy } from "./strategies/configuration.ts";
import { cronJobStrategy } from "./strategies/cron-job.ts";
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
  CSIDriver: { ...careful, returnsDeleted: true },
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
  HorizontalPodAutoscaler: {
    ...plain,
    applyDefaults: defaultAutoscaler,
    prepareCreate: (autoscaler) => void (autoscaler["status"] = { desiredReplicas: 0, currentMetrics: null }),
  },
  Ingress: {
    ...counted,
    applyDefaults: defaultIngress,
    prepareCreate: (ingress) => void (ingress["status"] = { loadBalancer: {} }),
  },
  Job: jobStrategy,
  // Leader election depends on it: a lease is never overwritten blindly.
  Lease: { validate: leaseErrors, createsOnUpdate: true },
  LimitRange: madeByUpdate,
  MutatingWebhookConfiguration: {
    ...careful,
    applyDefaults: defaultWebhookConfiguration,
    generationOf: ({ webhooks }) => webhooks,
  },
  Namespace: namespaceStrategy,
  NetworkPolicy: { ...counted, applyDefaults: defaultNetworkPolicy },
  PersistentVolume: volumeStrategy,
  PersistentVolumeClaim: volumeClaimStrategy,
  Pod: podStrategy,
  PodDisruptionBudget: {
    generationOf: desiredSpec,
    prepareCreate(budget) {
      budget["status"] = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
    },
  },
  PodTemplate: { ...plain, returnsDeleted: true },
  PriorityClass: priorityClassStrategy,
  ReplicaSet: replicaSetStrategy,
  ReplicationController: { ...counted, returnsDeleted: true, applyDefaults: defaultReplicationController },
  ResourceQuota: { ...plain, returnsDeleted: true },
  Role: roleStrategy,
  RoleBinding: roleBindingStrategy,
  RuntimeClass: careful,
  Secret: secretStrategy,
  Service: serviceStrategy,
  ServiceAccount: { ...plain, returnsDeleted: true },
  StatefulSet: statefulSetStrategy,
  StorageClass: { ...plain, returnsDeleted: true, applyDefaults: defaultStorageClass },
  ValidatingWebhookConfiguration: {
    ...careful,
    applyDefaults: defaultWebhookConfiguration,
    generationOf: ({ webhooks }) => webhooks,
  },
  VolumeAttachment: { ...careful, returnsDeleted: true },
  VolumeAttributesClass: { ...plain, returnsDeleted: true },
};

/** The strategy of a built-in kind; most need nothing special. */
export function builtinStrategy({ kind }: ServedResource): Strategy {
  return strategies[kind] ?? plain;
}
