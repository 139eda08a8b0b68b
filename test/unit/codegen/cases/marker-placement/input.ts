// +kubebuilder:validation:Optional

export interface Spec {
  // +kubebuilder:validation:MaxLength=1

  // between

  /** doc */
  // +kubebuilder:validation:MinLength=1
  far?: string; // +kubebuilder:rbac:groups=apps,resources=pods,verbs=get
  /* a plain block is no doc */
  plain?: string; /** trailing is ignored */
  /** on one line +kubebuilder:validation:MaxLength=9 */ one?: string;
  /**
   * + a plus and a blank is a list item
   * +genclient
   * +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="X"
   */
  list?: string;
}
