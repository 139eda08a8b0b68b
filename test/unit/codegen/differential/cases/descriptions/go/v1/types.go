// +groupName=docs.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type LibrarySpec struct {
	// One sentence. Another one, which is too long for the limit.
	Sentences string `json:"sentences"`
	// No sentence ends within the words that the limit leaves of this text
	Words string `json:"words"`
	// https://example.com/one-word-without-any-space-that-is-too-long
	Word string `json:"word"`
	// Short
	Short string `json:"short"`
	// Größe und Länge der Bücher in Zentimetern, je Band
	Umlauts string `json:"umlauts"`
	// The claims of the volumes, one for each shelf.
	Claims []corev1.PersistentVolumeClaimTemplate `json:"claims,omitempty"`
}

// Library is the Schema for the libraries API. It has books.
// +kubebuilder:object:root=true
type Library struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              LibrarySpec `json:"spec"`
}
