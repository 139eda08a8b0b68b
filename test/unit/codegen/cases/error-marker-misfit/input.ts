export interface Spec {
  // +kubebuilder:validation:Pattern=a
  a: number;
  // +kubebuilder:validation:Minimum=1
  b: string;
  // +kubebuilder:validation:MaxItems=1
  c: string;
  // +kubebuilder:validation:MinProperties=1
  d: string[];
  // +kubebuilder:validation:Maximum=1.5
  e: number;
  // +listType=map
  f: string;
  // +listMapKey=name
  g: { name: string }[];
  // +listType=sorted
  h: string[];
  // +kubebuilder:validation:items:MaxLength=1
  i: string;
  // +kubebuilder:title=5
  j: string;
  // +kubebuilder:validation:Type=text
  k: string;
  // +kubebuilder:validation:XValidation:rule="true",reason=Bad
  // +kubebuilder:validation:XValidation:rule="true",optionalOldSelf=true
  l: string;
  // +default={broken
  m: string;
}
