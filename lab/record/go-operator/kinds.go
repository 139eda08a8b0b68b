package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Memcached is version v1alpha1, which the controller uses.
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MemcachedSpec   `json:"spec,omitempty"`
	Status            MemcachedStatus `json:"status,omitempty"`
}

// MemcachedSpec is the desired state, and selects the result of the reconciler.
type MemcachedSpec struct {
	Size int32  `json:"size,omitempty"`
	Mode string `json:"mode,omitempty"`
}

// MemcachedStatus is the observed state.
type MemcachedStatus struct {
	Nodes      []string           `json:"nodes,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// MemcachedList is a list of Memcacheds.
type MemcachedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Memcached `json:"items"`
}

// HubMemcached is version v1, the target of conversions.
type HubMemcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              HubSpec `json:"spec,omitempty"`
}

// HubSpec calls the size replicas.
type HubSpec struct {
	Replicas int32 `json:"replicas,omitempty"`
}

func addKinds(scheme *runtime.Scheme) {
	group := "differential.example.com"
	old := schema.GroupVersion{Group: group, Version: "v1alpha1"}
	scheme.AddKnownTypes(old, &Memcached{}, &MemcachedList{})
	metav1.AddToGroupVersion(scheme, old)
	hub := schema.GroupVersion{Group: group, Version: "v1"}
	scheme.AddKnownTypeWithName(hub.WithKind("Memcached"), &HubMemcached{})
	metav1.AddToGroupVersion(scheme, hub)
}

// DeepCopyObject implements runtime.Object.
func (m *Memcached) DeepCopyObject() runtime.Object {
	out := &Memcached{TypeMeta: m.TypeMeta, Spec: m.Spec}
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Nodes = slices.Clone(m.Status.Nodes)
	for _, condition := range m.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *condition.DeepCopy())
	}
	return out
}

// DeepCopyObject implements runtime.Object.
func (l *MemcachedList) DeepCopyObject() runtime.Object {
	out := &MemcachedList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for index := range l.Items {
		out.Items = append(out.Items, *l.Items[index].DeepCopyObject().(*Memcached))
	}
	return out
}

// DeepCopyObject implements runtime.Object.
func (m *HubMemcached) DeepCopyObject() runtime.Object {
	out := &HubMemcached{TypeMeta: m.TypeMeta, Spec: m.Spec}
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}
