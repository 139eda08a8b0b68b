export interface Spec {
  /** outer doc */
  outer: {
    /**
     * inner doc
     * +kubebuilder:validation:Minimum=1
     */
    inner?: number;
    // +kubebuilder:default=x
    text?: string;
    deep: { deeper: { deepest: boolean } };
  };
}
