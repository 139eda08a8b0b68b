// +groupName=certs.example.com
// +kubebuilder:skip
import type { ObjectMeta } from "tsop";

// +kubebuilder:object:root=true
export interface Certificate {
  metadata: ObjectMeta;
}
