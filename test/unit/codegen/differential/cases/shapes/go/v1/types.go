// +groupName=shapes.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Color is a color.
// +kubebuilder:validation:Enum=red;green;blue
type Color string

// +kubebuilder:validation:Enum=1;2;5
type Level int

// SecretRef points to a Secret.
type SecretRef struct {
	// name of the object
	Name string `json:"name"`
	// +kubebuilder:validation:Enum=Secret
	Kind string `json:"kind"`
	Key  string `json:"key,omitempty"`
}

// ConfigRef points to a ConfigMap.
type ConfigRef struct {
	// name of the object
	Name string `json:"name"`
	// +kubebuilder:validation:Enum=ConfigMap;Secret
	Kind string `json:"kind"`
	Key  string `json:"key,omitempty"`
}

type Box struct {
	Width  int32 `json:"width"`
	Height int32 `json:"height"`
	// depth is optional
	Depth *int32 `json:"depth,omitempty"`
}

type FlatBox struct {
	Width  int32 `json:"width"`
	Height int32 `json:"height"`
}

type LooseBox struct {
	Width  *int32 `json:"width,omitempty"`
	Height *int32 `json:"height,omitempty"`
	// depth is optional
	Depth *int32 `json:"depth,omitempty"`
}

type FullBox struct {
	Width  int32 `json:"width"`
	Height int32 `json:"height"`
	// depth is optional
	Depth int32 `json:"depth"`
}

type Ends struct {
	Start FlatBox `json:"start"`
	End   FlatBox `json:"end"`
}

type Both struct {
	Width  int32 `json:"width"`
	Height int32 `json:"height"`
	// depth is optional
	Depth *int32 `json:"depth,omitempty"`
	Label string `json:"label"`
}

type ShapeSpec struct {
	Color  Color     `json:"color"`
	Colors []Color   `json:"colors,omitempty"`
	Level  Level     `json:"level"`
	Secret SecretRef `json:"secret"`
	Config ConfigRef `json:"config"`
	Flat   FlatBox   `json:"flat"`
	Loose  LooseBox  `json:"loose"`
	Full   FullBox   `json:"full"`
	Ends   Ends      `json:"ends"`
	Both   Both      `json:"both"`
	// +kubebuilder:validation:Enum=width;height;depth
	Side string `json:"side"`
	// +kubebuilder:validation:Enum=fast;slow
	Mode string `json:"mode"`
	// +kubebuilder:validation:Enum=red;green
	Warm string `json:"warm"`
	// +kubebuilder:validation:MinItems=2
	// +kubebuilder:validation:MaxItems=2
	Pair []int32          `json:"pair"`
	Map  map[string]Color `json:"map"`
	// +nullable
	Maybe *Box                            `json:"maybe"`
	Deep  map[string][]map[string]FlatBox `json:"deep"`
}

// +kubebuilder:object:root=true
type Shape struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShapeSpec `json:"spec"`
}
