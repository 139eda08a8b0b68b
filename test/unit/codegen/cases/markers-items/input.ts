export interface Spec {
  // +kubebuilder:validation:items:MinLength=1
  // +kubebuilder:validation:items:Pattern=`^a`
  // +kubebuilder:validation:items:Enum=a;ab
  // +kubebuilder:validation:items:XValidation:rule="self != 'x'"
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems=4
  a: string[];
  // +kubebuilder:validation:items:Format=ipv4
  b: Names;
}
type Name = string;
type Names = Name[];
