// +groupName=certs.example.com
package v1

import (
	"example.com/twins/versions/go/shared"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status

// Certificate is a certificate.
type Certificate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CertificateSpec    `json:"spec,omitempty"`
	Status *CertificateStatus `json:"status,omitempty"`
}

// CertificateSpec is what is asked for.
type CertificateSpec struct {
	// hosts of the certificate
	// +kubebuilder:validation:MinItems=1
	// +listType=set
	Hosts []shared.DNSName `json:"hosts"`
	// issuer signs
	Issuer shared.Issuer  `json:"issuer"`
	Backup *shared.Issuer `json:"backup,omitempty"`
}

// CertificateStatus is what was found.
type CertificateStatus struct {
	NotAfter *metav1.Time `json:"notAfter,omitempty"`
	// +patchMergeKey=type
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
type CertificateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Certificate `json:"items"`
}
