// Package v1alpha1 is the first try.
// +groupName=certs.example.com
package v1alpha1

import (
	"example.com/twins/versions/go/shared"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion
// +kubebuilder:printcolumn:name=Host,type=string,JSONPath=.spec.host

// Certificate is a certificate.
type Certificate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct1 `json:"spec,omitempty"`
}

type struct1 struct {
	Host   shared.DNSName `json:"host"`
	Issuer shared.Issuer  `json:"issuer"`
}

// +kubebuilder:object:root=true
type CertificateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Certificate `json:"items"`
}
