// +groupName=ml.example.com
import type {
  V1Affinity,
  V1Container,
  V1DeploymentStrategy,
  V1EnvFromSource,
  V1EnvVar,
  V1IngressSpec,
  V1LabelSelector,
  V1LocalObjectReference,
  V1NetworkPolicyPeer,
  V1ObjectMeta,
  V1ObjectReference,
  V1OwnerReference,
  V1PersistentVolumeClaim,
  V1PersistentVolumeClaimSpec,
  V1PodDisruptionBudgetSpec,
  V1PodSecurityContext,
  V1PolicyRule,
  V1Probe,
  V1ResourceRequirements,
  V1SecretKeySelector,
  V1ServiceSpec,
  V1Toleration,
  V1TopologySpreadConstraint,
  V2HorizontalPodAutoscalerBehavior,
  V2MetricSpec,
} from "@kubernetes/client-node";
import type { PullPolicy, ResourceList, RestartPolicy } from "tsop/k8s/core/v1";

/**
 * TrainingJob trains a model on a set of workers.
 * +kubebuilder:object:root=true
 * +kubebuilder:unservedversion
 * +kubebuilder:resource:path=trainingjobs
 */
export class TrainingJob {
  declare metadata: V1ObjectMeta;
  declare spec: TrainingJobSpec;

  describe(): string {
    return "methods are no fields";
  }
}

/** TrainingJobSpec says how to train. */
export class TrainingJobSpec {
  /** one container */
  declare container: V1Container;
  declare resources?: V1ResourceRequirements;
  declare affinity?: V1Affinity;
  // +listType=atomic
  declare tolerations?: V1Toleration[];
  declare env?: V1EnvVar[];
  declare envFrom?: V1EnvFromSource[];
  declare claim?: V1PersistentVolumeClaimSpec;
  declare claims?: V1PersistentVolumeClaim[];
  declare selector?: V1LabelSelector;
  /** the secret with the key */
  declare secretRef?: V1SecretKeySelector;
  declare pullSecrets?: V1LocalObjectReference[];
  declare ref?: V1ObjectReference;
  declare service?: V1ServiceSpec;
  declare strategy?: V1DeploymentStrategy;
  declare peers?: V1NetworkPolicyPeer[];
  declare ingress?: V1IngressSpec;
  declare rules?: V1PolicyRule[];
  declare metrics?: V2MetricSpec[];
  declare behavior?: V2HorizontalPodAutoscalerBehavior;
  declare budget?: V1PodDisruptionBudgetSpec;
  /** labels and annotations of the pods */
  declare podMetadata?: V1ObjectMeta;
  declare requests?: ResourceList;
  declare policy?: PullPolicy;
  // +kubebuilder:validation:Enum=Always;Never
  declare restart?: RestartPolicy;
  declare probe?: V1Probe;
  declare security?: V1PodSecurityContext;
  declare spread?: V1TopologySpreadConstraint[];
  declare owner?: V1OwnerReference;
  static readonly limit = 3;
  private hidden = true;
}
