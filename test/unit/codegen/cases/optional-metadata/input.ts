import type { ObjectMeta } from "tsop";
// +groupName=example.com

/** +kubebuilder:object:root=true */
export interface Sample {
  // +optional
  metadata: ObjectMeta;
  // +required
  spec: Spec;
  // +optional
  status: { metadata: ObjectMeta };
}

export interface Spec {
  // +optional
  metadata: ObjectMeta;
  inline: {
    // +optional
    metadata: ObjectMeta;
  };
}
