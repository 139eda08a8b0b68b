// +groupName=certs.example.com
// +versionName=v1alpha0
import type { ObjectMeta } from "tsop";

// +kubebuilder:object:root=true
// +kubebuilder:skipversion
export interface Certificate {
  metadata: ObjectMeta;
}
