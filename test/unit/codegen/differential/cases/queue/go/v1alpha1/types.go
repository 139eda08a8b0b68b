// +groupName=stream.example.com
package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Base is shared by all kinds of this group.
type Base struct {
	// paused stops reconciling
	Paused bool `json:"paused,omitempty"`
	// labels for everything that is made
	Labels map[string]string `json:"labels,omitempty"`
}

// Listener is one way in.
type Listener struct {
	// +kubebuilder:validation:Pattern=`^[a-z0-9]{1,11}$`
	Name string `json:"name"`
	// +kubebuilder:validation:Minimum=9092
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`
	// +kubebuilder:default=TCP
	Protocol corev1.Protocol `json:"protocol,omitempty"`
	// +kubebuilder:validation:Enum=internal;route;loadbalancer;nodeport
	Type string `json:"type"`
	TLS  bool   `json:"tls"`
}

// BrokerSpec is a broker.
type BrokerSpec struct {
	Base `json:",inline"`

	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Replicas int32 `json:"replicas"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=protocol
	Listeners []Listener `json:"listeners"`
	// config is free
	Config apiextensionsv1.JSON `json:"config,omitempty"`
	// override is merged over what is made
	Override runtime.RawExtension `json:"override,omitempty"`
	// template of the pods
	Pod     *PodTemplate         `json:"pod,omitempty"`
	Volumes []corev1.VolumeMount `json:"volumes,omitempty"`
}

// PodTemplate changes the pods.
type PodTemplate struct {
	// metadata of the pods
	Metadata metav1.ObjectMeta `json:"metadata,omitempty"`
	// +optional
	Affinity *corev1.NodeAffinity `json:"affinity,omitempty"`
	// +kubebuilder:validation:Maximum=600
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:XEmbeddedResource
	// +kubebuilder:validation:Type=object
	Raw corev1.PodTemplateSpec `json:"raw,omitempty"`
}

// Broker runs brokers.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
type Broker struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BrokerSpec   `json:"spec"`
	Status            BrokerStatus `json:"status,omitempty"`
}

// BrokerStatus is the status.
type BrokerStatus struct {
	Replicas int32 `json:"replicas"`
	// secret as base64
	Secret []byte `json:"secret,omitempty"`
}

// TopicSpec is a topic.
type TopicSpec struct {
	Base `json:",inline"`

	// paused means something else here
	Partitions int32 `json:"partitions"`
	// +kubebuilder:default=604800000
	RetentionMs int64 `json:"retentionMs,omitempty"`
	// +kubebuilder:validation:Maximum=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMaximum=true
	Ratio float64 `json:"ratio,omitempty"`
}

// Topic is a topic.
// +kubebuilder:object:root=true
type Topic struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TopicSpec `json:"spec"`
}
