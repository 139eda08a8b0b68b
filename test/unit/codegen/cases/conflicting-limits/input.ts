/**
 * +kubebuilder:validation:MaxLength=5
 * +kubebuilder:validation:MinLength=1
 * +kubebuilder:validation:Enum=a;b
 */
type Name = string;
export interface Spec {
  // +kubebuilder:validation:MaxLength=3
  // +kubebuilder:validation:MinLength=1
  // +kubebuilder:validation:Enum=a
  both: Name;
}
