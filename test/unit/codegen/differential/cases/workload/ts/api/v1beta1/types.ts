// +groupName=ml.example.com
import type { LabelSelector, ObjectMeta, OwnerReference } from "tsop";
import type { DeploymentStrategy } from "tsop/k8s/apps/v1";
import type { HorizontalPodAutoscalerBehavior, MetricSpec } from "tsop/k8s/autoscaling/v2";
import type * as core from "tsop/k8s/core/v1";
import type { IngressSpec, NetworkPolicyPeer } from "tsop/k8s/networking/v1";
import type { PodDisruptionBudgetSpec } from "tsop/k8s/policy/v1";
import type { PolicyRule } from "tsop/k8s/rbac/v1";

/**
 * TrainingJob trains a model on a set of workers.
 * +kubebuilder:object:root=true
 * +kubebuilder:storageversion
 * +kubebuilder:resource:path=trainingjobs
 */
export interface TrainingJob {
  metadata: ObjectMeta;
  spec: TrainingJobSpec;
}

/** TrainingJobSpec says how to train. */
export interface TrainingJobSpec {
  /** template of the workers' pods */
  template: core.PodTemplateSpec;
  resources?: core.ResourceRequirements;
  affinity?: core.Affinity;
  // +listType=atomic
  tolerations?: core.Toleration[];
  env?: core.EnvVar[];
  envFrom?: core.EnvFromSource[];
  claim?: core.PersistentVolumeClaimSpec;
  claims?: core.PersistentVolumeClaim[];
  selector?: LabelSelector;
  /** the secret with the key */
  secretRef?: core.SecretKeySelector;
  pullSecrets?: core.LocalObjectReference[];
  ref?: core.ObjectReference;
  service?: core.ServiceSpec;
  strategy?: DeploymentStrategy;
  peers?: NetworkPolicyPeer[];
  ingress?: IngressSpec;
  rules?: PolicyRule[];
  metrics?: MetricSpec[];
  behavior?: HorizontalPodAutoscalerBehavior;
  budget?: PodDisruptionBudgetSpec;
  /** labels and annotations of the pods */
  podMetadata?: ObjectMeta;
  requests?: core.ResourceList;
  policy?: core.PullPolicy;
  // +kubebuilder:validation:Enum=Always;Never
  restart?: core.RestartPolicy;
  probe?: core.Probe;
  security?: core.PodSecurityContext;
  spread?: core.TopologySpreadConstraint[];
  owner?: OwnerReference;
}
