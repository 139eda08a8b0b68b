// +groupName=certs.example.com
// +versionName=v2beta1
package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:unservedversion

// Certificate is a certificate.
type Certificate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Policy decides who gets certificates.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
type Policy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// a field beside spec
	Allowed []string `json:"allowed,omitempty"`
}
