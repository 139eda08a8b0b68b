// +groupName=example.com
import type { ObjectMeta } from "tsop";

/**
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Thing {
  metadata: ObjectMeta;
