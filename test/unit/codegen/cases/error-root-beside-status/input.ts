import type { ObjectMeta } from "tsop";
// +groupName=example.com

/**
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:validation:MinProperties=2
 */
export interface Thing {
  metadata: ObjectMeta;
  spec: { a: string };
  status?: { b?: string };
}
