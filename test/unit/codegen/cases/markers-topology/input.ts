interface Item { name: string; other?: string }
export interface Spec {
  // +listType=map
  // +listMapKey=name
  a: Item[];
  // +k8s:listType=set
  b: string[];
  // +listType=atomic
  c: Item[];
  // +mapType=atomic
  d: Record<string, string>;
  // +structType=atomic
  e: Item;
  // +structType=granular
  f?: Item;
}
