// +tsop:external

/** The kind has types and a schema, but no CustomResourceDefinition, so it needs no storage version. */
export interface Spec {
  a: string;
}
