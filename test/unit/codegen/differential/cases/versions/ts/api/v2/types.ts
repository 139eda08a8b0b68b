// +groupName=certs.example.com
// +versionName=v2beta1
import type { ObjectMeta } from "tsop";

// +kubebuilder:object:root=true
// +kubebuilder:unservedversion

/** Certificate is a certificate. */
export interface Certificate {
  metadata: ObjectMeta;
}

/**
 * Policy decides who gets certificates.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:scope=Cluster
 */
export interface Policy {
  metadata: ObjectMeta;

  /** a field beside spec */
  allowed?: string[];
}
