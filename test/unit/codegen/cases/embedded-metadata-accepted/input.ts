import type { ObjectMeta } from "tsop";
// +tsop:embeddedObjectMeta=false

export interface Spec {
  template: { metadata?: ObjectMeta; name: string };
}
