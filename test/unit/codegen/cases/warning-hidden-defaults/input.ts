export interface Spec {
  outer?: {
    // +kubebuilder:default=1
    inner?: number;
  };
  policy?: {
    limit?: number;
    // +kubebuilder:default=Recreate
    strategy?: "Recreate" | "Keep";
  };
}
