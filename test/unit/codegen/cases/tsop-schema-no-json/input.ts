export interface Spec {
  // +tsop:schema=oneOf
  name: string;
}
