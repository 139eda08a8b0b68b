// Package v1 holds backup jobs.
// +kubebuilder:object:generate=true
// +groupName=batch.tutorial.example.com
package v1
