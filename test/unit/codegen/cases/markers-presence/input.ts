export interface Spec {
  // +kubebuilder:validation:Optional
  a?: string;
  // +optional
  b?: string;
  // +k8s:optional
  c?: string;
  // +kubebuilder:validation:Required
  d: string;
  // +required
  e: string;
  // +k8s:required
  f: string;
}
