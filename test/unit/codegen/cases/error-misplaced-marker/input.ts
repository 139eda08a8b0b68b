// +kubebuilder:validation:MinLength=1
const x = 1;
export interface Spec {
  // +kubebuilder:resource:path=specs
  // +kubebuilder:validation:ExactlyOneOf=a;b
  a: string; // +kubebuilder:validation:MinLength=1
}
// +nullable
export type T = string;
export function f(): void {
  // +kubebuilder:default=1
}
