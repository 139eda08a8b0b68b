import type { Float } from "tsop";
export interface Spec {
  // +kubebuilder:validation:Minimum=-1
  // +kubebuilder:validation:Maximum=10
  // +kubebuilder:validation:ExclusiveMinimum=true
  // +kubebuilder:validation:ExclusiveMaximum=false
  // +kubebuilder:validation:MultipleOf=3
  whole: number;
  // +kubebuilder:validation:Minimum=0.5
  // +kubebuilder:validation:MultipleOf=0.25
  fraction: Float;
}
