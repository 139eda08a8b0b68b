package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// Cache is the custom resource of ../operators/manifests/crd.yaml, as far as this operator reads it.
type Cache struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CacheSpec   `json:"spec"`
	Status CacheStatus `json:"status,omitempty"`
}

type CacheSpec struct {
	Replicas    *int32            `json:"replicas,omitempty"`
	Port        int32             `json:"port"`
	MemoryMB    *int32            `json:"memoryMB,omitempty"`
	Eviction    string            `json:"eviction,omitempty"`
	Description string            `json:"description,omitempty"`
	Settings    map[string]string `json:"settings,omitempty"`
	Monitoring  *Monitoring       `json:"monitoring,omitempty"`
	Storage     Storage           `json:"storage"`
}

type Monitoring struct {
	Enabled bool `json:"enabled"`
}

type Storage struct {
	Size string `json:"size"`
}

type CacheStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type CacheList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Cache `json:"items"`
}

func (c *Cache) DeepCopyObject() runtime.Object     { return copyOf(c) }
func (l *CacheList) DeepCopyObject() runtime.Object { return copyOf(l) }

// copyOf is slow and short, which is right for one custom resource.
func copyOf[T any](from *T) *T {
	text, err := json.Marshal(from)
	if err != nil {
		panic(err)
	}
	to := new(T)
	if err := json.Unmarshal(text, to); err != nil {
		panic(err)
	}
	return to
}

var (
	group         = schema.GroupVersion{Group: "check.example.com", Version: "v1"}
	schemeBuilder = (&scheme.Builder{GroupVersion: group}).Register(&Cache{}, &CacheList{})
)
