import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type * as core from "../../../k8s/core/v1.ts";
import type { StorageClass } from "../../../k8s/storage/v1.ts";

export type Claim = core.PersistentVolumeClaim & { spec: core.PersistentVolumeClaimSpec };
export type Volume = core.PersistentVolume & { spec: core.PersistentVolumeSpec };

export const ClaimKind: Kind<Claim> = defineKind({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  subresources: ["status"],
});

export const VolumeKind: Kind<Volume> = defineKind({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  scope: "Cluster",
  subresources: ["status"],
});

export const StorageClassKind: Kind<StorageClass> = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  scope: "Cluster",
});
