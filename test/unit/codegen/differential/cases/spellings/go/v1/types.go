// +groupName=cache.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Policy is what happens when memory runs out.
// +kubebuilder:validation:Enum=Evict;Refuse
type Policy string

// Mode is how keys are spread.
// +k8s:enum
type Mode string

const (
	ModeRing Mode = "Ring"
	ModeJump Mode = "Jump"
)

// Shard is one part of the keys.
type Shard struct {
	Name string `json:"name"`
	// +k8s:optional
	Zone string `json:"zone"`
	// +k8s:required
	Weight *int32 `json:"weight,omitempty"`
}

// ClusterSpec uses the other spellings of markers.
type ClusterSpec struct {
	// Shards by name.
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:optional
	Shards []Shard `json:"shards"`
	// Tags in no order.
	// +k8s:listType=set
	Tags []string `json:"tags,omitempty"`
	// +nullable
	// +optional
	Policy *Policy `json:"policy,omitempty"`
	// +nullable
	Comment string `json:"comment"`
	// +optional
	Mode Mode `json:"mode,omitempty"`
	// +optional
	// +k8s:immutable
	Seed int32 `json:"seed,omitempty"`
	// Settings are passed on.
	// +kubebuilder:validation:XPreserveUnknownFields
	// +optional
	Settings *runtime.RawExtension `json:"settings,omitempty"`
}

// Cluster is a cluster of caches.
// +kubebuilder:object:root=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ClusterSpec `json:"spec,omitempty"`
}
