import { defineKind, parseApiVersion, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type * as apps from "../../../k8s/apps/v1.ts";
import type * as batch from "../../../k8s/batch/v1.ts";
import type * as core from "../../../k8s/core/v1.ts";
import type * as policy from "../../../k8s/policy/v1.ts";
import type * as rbac from "../../../k8s/rbac/v1.ts";
import type { StorageClass } from "../../../k8s/storage/v1.ts";

export type { Container, PodSpec } from "../../../k8s/core/v1.ts";
export type { DeploymentStatus, ReplicaSetStatus } from "../../../k8s/apps/v1.ts";

// Each object has a spec, and each template, too: the server requires them.
export type PodTemplate = core.PodTemplateSpec & { spec: core.PodSpec };
/** A status that the simulation has completed. Unknown times are null. */
export interface ContainerStatus extends core.ContainerStatus {
  state: core.ContainerState;
  lastState: core.ContainerState;
}

type StatusLists = "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";

export interface PodStatus
  extends Omit<core.PodStatus, "conditions" | StatusLists>, Partial<Record<StatusLists, ContainerStatus[]>> {
  conditions?: WorkloadCondition[];
}

export interface Pod extends Omit<core.Pod, "status"> {
  spec: core.PodSpec;
  status?: PodStatus;
}

export type ReplicaSet = apps.ReplicaSet & { spec: { template: PodTemplate } };
export type Deployment = apps.Deployment & { spec: { template: PodTemplate } };
export type StatefulSet = apps.StatefulSet & { spec: { template: PodTemplate } };
export type DaemonSet = apps.DaemonSet & { spec: { template: PodTemplate } };
export type JobSpec = batch.JobSpec & { template: PodTemplate };
export type JobStatus = batch.JobStatus;
export type Job = batch.Job & { spec: JobSpec };
export type CronJob = batch.CronJob & { spec: { jobTemplate: { spec: JobSpec } } };
export type Namespace = core.Namespace;
export type Service = core.Service & { spec: core.ServiceSpec };
export type Claim = core.PersistentVolumeClaim & { spec: core.PersistentVolumeClaimSpec };
export type Volume = core.PersistentVolume & { spec: core.PersistentVolumeSpec };
export type DisruptionBudget = policy.PodDisruptionBudget & { spec: policy.PodDisruptionBudgetSpec };

/** A condition of the older workload kinds, with their times instead of observedGeneration. */
export interface WorkloadCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  lastProbeTime?: string | null;
  observedGeneration?: number;
  reason?: string;
  message?: string;
}

export const PodKind: Kind<Pod> = define("v1", "Pod", "pods", ["status", "binding", "log"]);
export const NodeKind: Kind<core.Node> = defineCluster("v1", "Node", "nodes", ["status"]);
export const NamespaceKind: Kind<Namespace> = defineCluster("v1", "Namespace", "namespaces", ["status", "finalize"]);
export const ServiceAccountKind: Kind = define("v1", "ServiceAccount", "serviceaccounts");
export const ConfigMapKind: Kind<core.ConfigMap> = define("v1", "ConfigMap", "configmaps");
export const SecretKind: Kind<core.Secret> = define("v1", "Secret", "secrets");
export const EventKind: Kind<UnstructuredObject> = define("v1", "Event", "events");
export const ResourceQuotaKind: Kind<core.ResourceQuota> = define("v1", "ResourceQuota", "resourcequotas", ["status"]);
export const ServiceKind: Kind<Service> = define("v1", "Service", "services", ["status"]);
export const EndpointsKind: Kind<UnstructuredObject> = define("v1", "Endpoints", "endpoints");
export const EndpointSliceKind: Kind<UnstructuredObject> = define(
  "discovery.k8s.io/v1",
  "EndpointSlice",
  "endpointslices",
);
export const ClaimKind: Kind<Claim> = define("v1", "PersistentVolumeClaim", "persistentvolumeclaims", ["status"]);
export const VolumeKind: Kind<Volume> = defineCluster("v1", "PersistentVolume", "persistentvolumes", ["status"]);
export const StorageClassKind: Kind<StorageClass> = defineCluster(
  "storage.k8s.io/v1",
  "StorageClass",
  "storageclasses",
);
export const ReplicaSetKind: Kind<ReplicaSet> = define("apps/v1", "ReplicaSet", "replicasets", ["status", "scale"]);
export const DeploymentKind: Kind<Deployment> = define("apps/v1", "Deployment", "deployments", ["status", "scale"]);
export const StatefulSetKind: Kind<StatefulSet> = define("apps/v1", "StatefulSet", "statefulsets", ["status", "scale"]);
export const DaemonSetKind: Kind<DaemonSet> = define("apps/v1", "DaemonSet", "daemonsets", ["status"]);
export const JobKind: Kind<Job> = define("batch/v1", "Job", "jobs", ["status"]);
export const CronJobKind: Kind<CronJob> = define("batch/v1", "CronJob", "cronjobs", ["status"]);
export const DisruptionBudgetKind: Kind<DisruptionBudget> = define(
  "policy/v1",
  "PodDisruptionBudget",
  "poddisruptionbudgets",
  ["status"],
);

const rbacV1 = "rbac.authorization.k8s.io/v1";
export const RoleKind: Kind<rbac.Role> = define(rbacV1, "Role", "roles");
export const RoleBindingKind: Kind<rbac.RoleBinding> = define(rbacV1, "RoleBinding", "rolebindings");
export const ClusterRoleKind: Kind<rbac.ClusterRole> = defineCluster(rbacV1, "ClusterRole", "clusterroles");
export const ClusterRoleBindingKind: Kind<rbac.ClusterRoleBinding> = defineCluster(
  rbacV1,
  "ClusterRoleBinding",
  "clusterrolebindings",
);

export const APIServiceKind: Kind<UnstructuredObject> = defineCluster(
  "apiregistration.k8s.io/v1",
  "APIService",
  "apiservices",
);
const admissionV1 = "admissionregistration.k8s.io/v1";
export const MutatingWebhookConfigurationKind: Kind<UnstructuredObject> = defineCluster(
  admissionV1,
  "MutatingWebhookConfiguration",
  "mutatingwebhookconfigurations",
);
export const ValidatingWebhookConfigurationKind: Kind<UnstructuredObject> = defineCluster(
  admissionV1,
  "ValidatingWebhookConfiguration",
  "validatingwebhookconfigurations",
);
export const webhookConfigurationKinds: readonly Kind<UnstructuredObject>[] = [
  MutatingWebhookConfigurationKind,
  ValidatingWebhookConfigurationKind,
];

function define<T extends KubeObject>(
  apiVersion: string,
  kind: string,
  plural: string,
  subresources: readonly string[] = [],
): Kind<T> {
  return defineKind<T>({ ...parseApiVersion(apiVersion), kind, plural, subresources });
}

function defineCluster<T extends KubeObject>(...names: Parameters<typeof define>): Kind<T> {
  return { ...define<T>(...names), scope: "Cluster" };
}
