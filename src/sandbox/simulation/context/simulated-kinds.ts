import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type * as apps from "../../../k8s/apps/v1.ts";
import type * as core from "../../../k8s/core/v1.ts";

export type { Container, PodSpec } from "../../../k8s/core/v1.ts";
export type { DeploymentStatus, ReplicaSetStatus } from "../../../k8s/apps/v1.ts";

// Each object has a spec, and each template, too: the server requires them.
export type PodTemplate = core.PodTemplateSpec & { spec: core.PodSpec };
/** A status that the simulation has completed. Times that nobody knows are null. */
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
export type Namespace = core.Namespace;

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

export const PodKind: Kind<Pod> = define("Pod", "pods", ["status", "binding", "log"]);
export const NodeKind: Kind<core.Node> = { ...define<core.Node>("Node", "nodes", ["status"]), scope: "Cluster" };
export const NamespaceKind: Kind<Namespace> = {
  ...define<Namespace>("Namespace", "namespaces", ["status", "finalize"]),
  scope: "Cluster",
};
export const ServiceAccountKind: Kind = define("ServiceAccount", "serviceaccounts", []);
export const ConfigMapKind: Kind<core.ConfigMap> = define("ConfigMap", "configmaps", []);
export const SecretKind: Kind<core.Secret> = define("Secret", "secrets", []);
export const EventKind: Kind<UnstructuredObject> = define("Event", "events", []);
export const ReplicaSetKind: Kind<ReplicaSet> = defineApp("ReplicaSet", "replicasets");
export const DeploymentKind: Kind<Deployment> = defineApp("Deployment", "deployments");

function define<T extends KubeObject>(kind: string, plural: string, subresources: readonly string[]): Kind<T> {
  return defineKind<T>({ group: "", version: "v1", kind, plural, subresources });
}

function defineApp<T extends KubeObject>(kind: string, plural: string): Kind<T> {
  return defineKind<T>({ group: "apps", version: "v1", kind, plural, subresources: ["status", "scale"] });
}
