import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";
import type { ObjectReference } from "../../../apimachinery/object-reference.ts";

export interface Claim extends KubeObject {
  spec: {
    accessModes?: string[];
    volumeMode?: string;
    volumeName?: string;
    storageClassName?: string;
    resources?: { requests?: { storage?: string } };
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: object };
}

export interface Volume extends KubeObject {
  spec: {
    accessModes?: string[] | undefined;
    capacity?: { storage?: string };
    claimRef?: ObjectReference;
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
    [field: string]: unknown;
  };
  status?: { phase?: string; lastPhaseTransitionTime?: string };
}

export interface StorageClass extends KubeObject {
  provisioner: string;
}

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
