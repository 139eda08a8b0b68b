import type { ObjectMeta } from "tsop";
import type { EphemeralVolumeSource, PersistentVolumeClaimTemplate } from "tsop/k8s/core/v1";

export interface Spec {
  ephemeral?: EphemeralVolumeSource;
  kept?: { metadata: { labels?: Record<string, string> } };
  // +kubebuilder:pruning:PreserveUnknownFields
  open?: ObjectMeta;
  // +kubebuilder:validation:EmbeddedResource
  resource?: Pick<PersistentVolumeClaimTemplate, "metadata">;
  workers?: {
    claim: PersistentVolumeClaimTemplate;
  }[];
  podMetadata?: ObjectMeta;
}
