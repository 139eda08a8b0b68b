// +kubebuilder:validation:Minlength=1
export interface Spec {
  // +kubebuilder:validation:MinLenght=1
  // +kubebuilder:MinLength=1
  // +kubebuilder:nothing:like:this
  // +Optional
  // +k8s:minimum=1
  // +thirdparty:anything
  a: string;
}
