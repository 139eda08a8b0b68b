import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, ObjectKey } from "../../apimachinery/meta.ts";
import { isAlreadyExists, isNotFound } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { runKindController, stepDelay, type SimulationContext } from "./simulation-context.ts";

interface Claim extends KubeObject {
  spec: {
    accessModes?: string[];
    volumeMode?: string;
    volumeName?: string;
    storageClassName?: string;
    resources?: { requests?: { storage?: string } };
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: object };
}

interface Volume extends KubeObject {
  spec?: {
    claimRef?: { namespace?: string; name?: string; uid?: string };
    persistentVolumeReclaimPolicy?: string;
    [field: string]: unknown;
  };
  status?: { phase?: string };
}

const ClaimKind: Kind<Claim> = defineKind({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  subresources: ["status"],
});

const VolumeKind: Kind<Volume> = defineKind({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  scope: "Cluster",
  subresources: ["status"],
});

const StorageClassKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  scope: "Cluster",
});

const storageClass = "standard";

/** Makes a volume for each claim, at once and without waiting for a pod, and deletes it with its claim. */
export async function runVolumes(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:persistent-volume-binder");
  await createStorageClass(client);
  await Promise.all([
    runKindController(context, client, {
      kind: ClaimKind,
      delay: () => stepDelay(context),
      step: (key) => bind(client, key),
    }),
    runKindController(context, client, {
      kind: VolumeKind,
      delay: () => stepDelay(context),
      step: ({ name }) => release(client, name),
      triggers: [{ kind: ClaimKind, keysOf: (claim) => [`/${(claim as Claim).spec.volumeName ?? ""}`] }],
    }),
  ]);
}

async function createStorageClass(client: Client): Promise<void> {
  const metadata = { name: storageClass, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
  const object = {
    metadata,
    provisioner: "tsop.dev/simulated",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
  };
  await client.create(StorageClassKind, object).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

async function bind(client: Client, key: ObjectKey): Promise<void> {
  const claim = await client.getOrUndefined(ClaimKind, key);
  if (!claim || claim.metadata.deletionTimestamp || claim.status?.phase === "Bound") return;
  const { spec } = claim;
  // A class of somebody else's is left to its provisioner.
  if ((spec.storageClassName ?? storageClass) !== storageClass) return;
  if (!spec.volumeName) {
    const name = `pvc-${claim.metadata.uid}`;
    await createVolume(client, claim, name);
    await client.update(ClaimKind, {
      ...claim,
      spec: { ...spec, volumeName: name, storageClassName: storageClass },
    });
    return;
  }
  const volume = await client.getOrUndefined(VolumeKind, { name: spec.volumeName });
  if (!volume) return;
  await client.status.update(VolumeKind, { ...volume, status: { ...volume.status, phase: "Bound" } });
  const { accessModes = [], resources } = spec;
  const capacity = { storage: resources?.requests?.storage ?? "1Gi" };
  await client.status.update(ClaimKind, { ...claim, status: { phase: "Bound", accessModes, capacity } });
}

async function createVolume(client: Client, { metadata, spec }: Claim, name: string): Promise<void> {
  const { namespace = "", uid = "" } = metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: metadata.name ?? "", uid };
  const volume: Volume = {
    metadata: { name },
    spec: {
      accessModes: spec.accessModes,
      capacity: { storage: spec.resources?.requests?.storage ?? "1Gi" },
      claimRef,
      hostPath: { path: `/simulated/${name}`, type: "" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: storageClass,
      volumeMode: spec.volumeMode ?? "Filesystem",
    },
  };
  await client.create(VolumeKind, volume).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** Deletes a volume whose claim has gone. */
async function release(client: Client, name: string): Promise<void> {
  const volume = name === "" ? undefined : await client.getOrUndefined(VolumeKind, { name });
  const reference = volume?.spec?.claimRef;
  if (!reference?.name || volume?.spec?.persistentVolumeReclaimPolicy !== "Delete") return;
  const claim = await client.getOrUndefined(ClaimKind, { namespace: reference.namespace, name: reference.name });
  if (claim?.metadata.uid === reference.uid) return;
  await client.delete(VolumeKind, { name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
