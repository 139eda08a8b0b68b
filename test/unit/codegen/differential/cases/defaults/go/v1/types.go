// +groupName=db.example.com
// +kubebuilder:validation:Optional
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Storage is storage.
type Storage struct {
	// +kubebuilder:default="10Gi"
	Size string `json:"size"`
	// +kubebuilder:default={"ReadWriteOnce"}
	Modes []string `json:"modes"`
}

// DatabaseSpec is optional by default.
type DatabaseSpec struct {
	// +kubebuilder:default=3
	Replicas int32 `json:"replicas"`
	// +kubebuilder:default=-5
	Negative int `json:"negative"`
	// +kubebuilder:default=true
	Enabled bool `json:"enabled"`
	// +kubebuilder:default=bare text
	Bare string `json:"bare"`
	// +kubebuilder:default=512Mi
	Memory string `json:"memory"`
	// +kubebuilder:default="007"
	Agent string `json:"agent"`
	// +kubebuilder:default=087
	Octal string `json:"octal"`
	// +kubebuilder:default=2024-01-15
	Day string `json:"day"`
	// +kubebuilder:default=""
	Empty string `json:"empty"`
	// +kubebuilder:default=a;b;c
	List []string `json:"list"`
	// +kubebuilder:default={1,2,3}
	Numbers []int `json:"numbers"`
	// +kubebuilder:default={}
	EmptyList []string `json:"emptyList"`
	// +kubebuilder:default={}
	Storage Storage `json:"storage"`
	// +kubebuilder:default={size: "1Gi", modes: {a, b}}
	Other *Storage `json:"other"`
	// +kubebuilder:default={a: "1", "b c": x}
	Map map[string]string `json:"map"`
	// +kubebuilder:default={{size: 1Gi, modes: {a}}, {size: 2Gi}}
	Storages []Storage `json:"storages"`
	// +kubebuilder:default={{1,1},{2,3}}
	Matrix [][]int `json:"matrix"`
	// +default="json"
	JSON string `json:"json"`
	// +default=[{"size":"1Gi"}]
	JSONList []Storage `json:"jsonList"`
	// +default=5
	// +kubebuilder:default=6
	Both int `json:"both"`
	// +kubebuilder:example={a: 1, b: {c: true}}
	// +kubebuilder:example="second"
	Example string `json:"example"`
	// +required
	Name string `json:"name"`
	// +kubebuilder:validation:Required
	Password string `json:"password,omitempty"`
	// +kubebuilder:validation:MultipleOf=0.5
	// +kubebuilder:validation:Minimum=0.25
	// +kubebuilder:default=1.5
	Factor float64 `json:"factor"`
	// +kubebuilder:validation:Maximum=1e6
	Large float32 `json:"large"`
	// +kubebuilder:validation:Minimum=-9223372036854775808
	// +kubebuilder:validation:Maximum=9223372036854775807
	Whole int64 `json:"whole"`
	// +kubebuilder:validation:Enum=1;2;"foo";true
	Mixed string `json:"mixed"`
	// +kubebuilder:validation:Enum="";a
	MaybeEmpty string `json:"maybeEmpty"`
}

// Database is the Schema for the databases API.
// +kubebuilder:object:root=true
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec DatabaseSpec `json:"spec"`
}
