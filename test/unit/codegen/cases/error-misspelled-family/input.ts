// +kubebuider:rbac:groups=apps,resources=deployments,verbs=get
// + kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder :rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder: rbac:groups=apps,resources=deployments,verbs=get
// +kubebulider:rback:groups=apps,resources=deployments,verbs=get
// +Kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuider:scaffold:imports
// +operator-skd:csv:customresourcedefinitions:displayName="Sample"

/** +tsopp:external */
export interface Spec {
  // +kubebuilder validation:MinLength=1
  // +kubbuilder:validation:MinLength=1
  // + kubebuilder:validation:MinLenght=1
  /**
   * The list items of other texts are no markers:
   * + kubebuilder: the framework
   * + optional
   * + note:this
   * + k3s:thing
   * +top:secret
   */
  a: string;
}
