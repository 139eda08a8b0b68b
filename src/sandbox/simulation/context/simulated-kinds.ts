import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type {
  Condition,
  IntOrString,
  KubeObject,
  LabelSelector,
  ObjectMeta,
  UnstructuredObject,
} from "../../../apimachinery/meta.ts";

// The fields of built-in kinds that the simulation reads or writes.

export interface PodTemplate {
  metadata?: ObjectMeta;
  spec: PodSpec;
}

export interface PodSpec {
  nodeName?: string;
  schedulingGates?: { name: string }[];
  restartPolicy?: "Always" | "OnFailure" | "Never";
  terminationGracePeriodSeconds?: number;
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  [field: string]: unknown;
}

export interface Container {
  name: string;
  image?: string;
  restartPolicy?: "Always";
  command?: string[];
  args?: string[];
  env?: readonly object[];
  envFrom?: readonly object[];
  volumeMounts?: { name: string }[];
  [field: string]: unknown;
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus;
}

export interface PodStatus {
  phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  conditions?: WorkloadCondition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
  [field: string]: unknown;
}

export interface ContainerStatus {
  name: string;
  image: string;
  imageID: string;
  containerID?: string;
  ready: boolean;
  started?: boolean;
  restartCount: number;
  state: Record<string, object>;
  lastState: Record<string, object>;
}

/** A condition of the older workload kinds, with their times instead of observedGeneration. */
export interface WorkloadCondition extends Omit<Condition, "lastTransitionTime" | "reason" | "message"> {
  lastTransitionTime?: string | null;
  lastUpdateTime?: string;
  lastProbeTime?: string | null;
  reason?: string;
  message?: string;
}

export interface ReplicaSet extends KubeObject {
  spec: { replicas?: number; minReadySeconds?: number; selector: LabelSelector; template: PodTemplate };
  status?: ReplicaSetStatus;
}

export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: WorkloadCondition[];
}

export interface ReplicationController extends KubeObject {
  spec: Omit<ReplicaSet["spec"], "selector"> & { selector: Record<string, string> };
  status?: ReplicaSetStatus;
}

export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    paused?: boolean;
    progressDeadlineSeconds?: number;
    revisionHistoryLimit?: number;
    selector: LabelSelector;
    strategy?: {
      type?: "RollingUpdate" | "Recreate";
      rollingUpdate?: { maxSurge?: IntOrString; maxUnavailable?: IntOrString };
    };
    template: PodTemplate;
  };
  status?: DeploymentStatus;
}

export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  collisionCount?: number;
  conditions?: WorkloadCondition[];
}

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: WorkloadCondition[] };
}

export interface Taint {
  readonly key: string;
  readonly effect: string;
  readonly value?: string;
  readonly timeAdded?: string;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[]; [field: string]: unknown };
  status?: Record<string, unknown>;
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

export interface Secret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
}

export const PodKind: Kind<Pod> = core("Pod", "pods", ["status", "binding", "log"]);
export const NodeKind: Kind<Node> = { ...core<Node>("Node", "nodes", ["status"]), scope: "Cluster" };
export const NamespaceKind: Kind<Namespace> = {
  ...core<Namespace>("Namespace", "namespaces", ["status", "finalize"]),
  scope: "Cluster",
};
export const ServiceAccountKind: Kind = core("ServiceAccount", "serviceaccounts", []);
export const ConfigMapKind: Kind<ConfigMap> = core("ConfigMap", "configmaps", []);
export const SecretKind: Kind<Secret> = core("Secret", "secrets", []);
export const EventKind: Kind<UnstructuredObject> = core("Event", "events", []);
export const ReplicationControllerKind: Kind<ReplicationController> = core(
  "ReplicationController",
  "replicationcontrollers",
  ["status", "scale"],
);
export const ReplicaSetKind: Kind<ReplicaSet> = apps("ReplicaSet", "replicasets");
export const DeploymentKind: Kind<Deployment> = apps("Deployment", "deployments");

function core<T extends KubeObject>(kind: string, plural: string, subresources: readonly string[]): Kind<T> {
  return defineKind<T>({ group: "", version: "v1", kind, plural, subresources });
}

function apps<T extends KubeObject>(kind: string, plural: string): Kind<T> {
  return defineKind<T>({ group: "apps", version: "v1", kind, plural, subresources: ["status", "scale"] });
}
