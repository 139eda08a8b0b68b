export interface Spec {
  // +kubebuilder:validation:MinLength=one
  // +kubebuilder:validation:MaxLength=1.5
  // +kubebuilder:validation:Maximum=1x
  // +kubebuilder:validation:ExclusiveMaximum=yes
  // +nullable=true
  // +kubebuilder:validation:Pattern="open
  // +kubebuilder:validation:XValidation:message="no rule"
  // +kubebuilder:validation:XValidation:rule="x",mesage="typo"
  // +kubebuilder:validation:Enum=a;"b
  // +kubebuilder:default={1,"a"}
  // +kubebuilder:default={a: 1
  // +kubebuilder:externalDocs:description="no url"
  // +kubebuilder:validation:Enum=a,b
  a: string;
}
