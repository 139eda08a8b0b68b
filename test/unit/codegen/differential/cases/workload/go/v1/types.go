// +groupName=ml.example.com
package v1

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TrainingJob trains a model on a set of workers.
// +kubebuilder:object:root=true
// +kubebuilder:unservedversion
// +kubebuilder:resource:path=trainingjobs
type TrainingJob struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TrainingJobSpec `json:"spec"`
}

// TrainingJobSpec says how to train.
type TrainingJobSpec struct {
	// one container
	Container corev1.Container            `json:"container"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	Affinity  *corev1.Affinity            `json:"affinity,omitempty"`
	// +listType=atomic
	Tolerations []corev1.Toleration              `json:"tolerations,omitempty"`
	Env         []corev1.EnvVar                  `json:"env,omitempty"`
	EnvFrom     []corev1.EnvFromSource           `json:"envFrom,omitempty"`
	Claim       corev1.PersistentVolumeClaimSpec `json:"claim,omitempty"`
	Claims      []corev1.PersistentVolumeClaim   `json:"claims,omitempty"`
	Selector    *metav1.LabelSelector            `json:"selector,omitempty"`
	// the secret with the key
	SecretRef   corev1.SecretKeySelector                       `json:"secretRef,omitempty"`
	PullSecrets []corev1.LocalObjectReference                  `json:"pullSecrets,omitempty"`
	Ref         corev1.ObjectReference                         `json:"ref,omitempty"`
	Service     corev1.ServiceSpec                             `json:"service,omitempty"`
	Strategy    appsv1.DeploymentStrategy                      `json:"strategy,omitempty"`
	Peers       []networkingv1.NetworkPolicyPeer               `json:"peers,omitempty"`
	Ingress     networkingv1.IngressSpec                       `json:"ingress,omitempty"`
	Rules       []rbacv1.PolicyRule                            `json:"rules,omitempty"`
	Metrics     []autoscalingv2.MetricSpec                     `json:"metrics,omitempty"`
	Behavior    *autoscalingv2.HorizontalPodAutoscalerBehavior `json:"behavior,omitempty"`
	Budget      policyv1.PodDisruptionBudgetSpec               `json:"budget,omitempty"`
	// labels and annotations of the pods
	PodMetadata metav1.ObjectMeta   `json:"podMetadata,omitempty"`
	Requests    corev1.ResourceList `json:"requests,omitempty"`
	Policy      corev1.PullPolicy   `json:"policy,omitempty"`
	// +kubebuilder:validation:Enum=Always;Never
	Restart  corev1.RestartPolicy              `json:"restart,omitempty"`
	Probe    *corev1.Probe                     `json:"probe,omitempty"`
	Security *corev1.PodSecurityContext        `json:"security,omitempty"`
	Spread   []corev1.TopologySpreadConstraint `json:"spread,omitempty"`
	Owner    metav1.OwnerReference             `json:"owner,omitempty"`
}

// TrainingJobList contains a list of TrainingJob.
// +kubebuilder:object:root=true
type TrainingJobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrainingJob `json:"items"`
}
