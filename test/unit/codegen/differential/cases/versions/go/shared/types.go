package shared

// Issuer points to who signs.
// It may stand in any namespace.
type Issuer struct {
	// name of the issuer
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
	// +kubebuilder:validation:Enum=Issuer;ClusterIssuer
	// +kubebuilder:default=Issuer
	Kind string `json:"kind,omitempty"`
}

// DNSName is a host.
// +kubebuilder:validation:Format=hostname
// +kubebuilder:validation:MaxLength=253
type DNSName string
