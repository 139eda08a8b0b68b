// +k8s:openapi-gen=true
// +k8s:conversion-gen=example.com/internal
// +k8s:prerelease-lifecycle-gen:introduced=1.30
// +k8s:deepcopy-gen=package
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package="applyconfiguration"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +genclient
export interface Spec {
  level: Level;
  // +k8s:listType=map
  // +k8s:listMapKey=name
  items: { name: string }[];
}

// +k8s:enum
type Level = "Warning" | "Error";
