// +groupName=net.example.com
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Timing is a part of other types.
// +kubebuilder:validation:XValidation:rule="self.after >= 0",message="negative"
type Timing struct {
	// after so many seconds
	// +kubebuilder:validation:Minimum=0
	After int32 `json:"after"`
	// +optional
	Jitter string `json:"jitter,omitempty"`
}

// Limits are limits.
type Limits struct {
	Soft *int `json:"soft,omitempty"`
	Hard *int `json:"hard,omitempty"`
}

// Route is one route.
// +kubebuilder:validation:ExactlyOneOf={host,path,prefix}
// +kubebuilder:validation:AtLeastOneOf=timeout;retries
// +kubebuilder:validation:XValidation:rule="!has(self.host) || size(self.host) > 0",message="host is empty",reason=FieldValueRequired,fieldPath=".host"
// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || size(self.name) < 5",messageExpression="'too long: ' + self.name",optionalOldSelf=true
type Route struct {
	Timing `json:",inline"`
	Limits `json:",inline"`

	Name   string  `json:"name"`
	Host   *string `json:"host,omitempty"`
	Path   *string `json:"path,omitempty"`
	Prefix *string `json:"prefix,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self > 0"
	Timeout *int32 `json:"timeout,omitempty"`
	Retries *int32 `json:"retries,omitempty"`
}

// Code is a code.
// +kubebuilder:validation:MinLength=2
// +kubebuilder:validation:MaxLength=20
// +kubebuilder:validation:Pattern=`^[A-Z]+$`
// +kubebuilder:validation:XValidation:rule="self != 'NO'"
type Code string

// LongCode is a longer code.
// +kubebuilder:validation:MinLength=5
type LongCode Code

// Percent is a share.
// +kubebuilder:validation:Minimum=0
// +kubebuilder:validation:Maximum=100
type Percent int32

// Names is a list.
// +kubebuilder:validation:items:MinLength=1
// +kubebuilder:validation:MaxItems=10
type Names []string

// Weights is a map.
// +kubebuilder:validation:MaxProperties=5
type Weights map[string]Percent

// GatewaySpec is what is wanted.
type GatewaySpec struct {
	// +kubebuilder:validation:MaxLength=10
	// +kubebuilder:validation:Pattern=`^G`
	// +kubebuilder:validation:XValidation:rule="self != 'GO'"
	Code     Code     `json:"code"`
	LongCode LongCode `json:"longCode,omitempty"`
	// share of it
	// +kubebuilder:validation:Maximum=50
	Percent Percent `json:"percent,omitempty"`
	// +nullable
	MaybePercent *Percent `json:"maybePercent,omitempty"`
	Names        Names    `json:"names,omitempty"`
	Weights      Weights  `json:"weights,omitempty"`
	// +listType=map
	// +listMapKey=name
	Routes []Route           `json:"routes,omitempty"`
	ByName map[string]*Route `json:"byName,omitempty"`
	Matrix [][]Percent       `json:"matrix,omitempty"`
	// +kubebuilder:validation:Enum=a;b
	Port intstr.IntOrString `json:"port,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^[0-9]+m$`
	CPU resource.Quantity `json:"cpu,omitempty"`
	// +k8s:immutable
	Zone Code `json:"zone,omitempty"`
	// +k8s:immutable
	Extra *Limits `json:"extra,omitempty"`
	// +mapType=granular
	Annotations map[string]string `json:"annotations,omitempty"`
	// +structType=atomic
	Limits Limits  `json:"limits,omitempty"`
	Flags  [2]bool `json:"flags,omitempty"`
}

// Gateway is the Schema for the gateways API.
// +kubebuilder:object:root=true
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 20",message="name is too long"
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GatewaySpec `json:"spec"`
}
