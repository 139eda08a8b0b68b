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
