interface Item { name?: string }
export interface Spec {
  // +listType=map
  // +listMapKey=name
  a: Item[];
  // +listType=map
  b: Item[];
  // +listType=set
  c: Item[];
  // +kubebuilder:validation:UniqueItems=true
  d: string[];
  // +kubebuilder:default=abc
  e: number;
  // +kubebuilder:validation:Pattern=`^(?!a)`
  f: string;
  // +kubebuilder:validation:Pattern=`(`
  g: string;
  // +kubebuilder:default={unknown: 1}
  h?: Item;
}
