// +kubebuilder:object:generate=true
// +groupName=batch.tutorial.example.com

export const group = "batch.tutorial.example.com";
