import type { Float, JSONValue } from "tsop";

export interface Spec {
  // +kubebuilder:validation:items:Minimum=0
  // +kubebuilder:validation:items:Maximum=10
  // +kubebuilder:validation:items:ExclusiveMinimum=true
  // +kubebuilder:validation:items:ExclusiveMaximum=true
  // +kubebuilder:validation:items:MultipleOf=0.5
  numbers: Float[];
  // +kubebuilder:validation:items:MinLength=1
  // +kubebuilder:validation:items:MaxLength=3
  texts: string[];
  // +kubebuilder:validation:items:MinItems=1
  // +kubebuilder:validation:items:MaxItems=2
  // +kubebuilder:validation:items:UniqueItems=false
  lists: string[][];
  // +kubebuilder:validation:items:MinProperties=1
  // +kubebuilder:validation:items:MaxProperties=2
  maps: Record<string, string>[];
  // +kubebuilder:validation:items:Type=string
  typed: JSONValue[];
  // +kubebuilder:validation:items:XIntOrString
  either: string[];
  // +kubebuilder:validation:items:XPreserveUnknownFields
  // +kubebuilder:validation:items:XEmbeddedResource
  objects: {}[];
}
