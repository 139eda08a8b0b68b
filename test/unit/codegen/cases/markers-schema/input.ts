export interface Spec {
  // +kubebuilder:validation:Schemaless
  // +kubebuilder:pruning:PreserveUnknownFields
  /** kept description */
  free: Whatever<unknown>;
  // +kubebuilder:validation:Type=string
  typed: number;
  // +kubebuilder:validation:XPreserveUnknownFields
  old: { a: string };
  // +kubebuilder:validation:XEmbeddedResource
  // +kubebuilder:pruning:PreserveUnknownFields
  embedded: {};
  // +nullable
  none?: string;
  // +kubebuilder:title="Title"
  titled: string;
  // +kubebuilder:example={a: 1, b: {x, y}}
  example: string;
  // +k8s:immutable
  fixed: string;
  // +k8s:immutable
  fixedOnce?: string;
}
