export interface Spec {
  outer?: {
    // +kubebuilder:default=1
    inner?: number;
  };
}
