// +tsop:embeddedObjectMeta
import type { ObjectMeta as Meta } from "tsop";
import type { PersistentVolumeClaimTemplate } from "tsop/k8s/core/v1";

/** Not the metadata of Kubernetes. */
export interface ObjectMeta {
  color?: string;
}

// +kubebuilder:validation:XValidation:rule="!has(self.claims) || self.claims.all(claim, !has(claim.metadata.namespace))"
export interface Spec {
  /** +kubebuilder:validation:MaxItems=5 */
  claims?: PersistentVolumeClaimTemplate[];
  /** Labels of the pods. */
  podMetadata?: Meta;
  byName?: Record<string, Meta>;
  own?: ObjectMeta;
}
