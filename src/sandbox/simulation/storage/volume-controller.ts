import { type ObjectKey } from "../../../apimachinery/meta.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { objectReference } from "../../../apimachinery/object-reference.ts";
import { keysOf, PacedQueue, runController, watch } from "../context/run-controller.ts";
import { stepDelay, type SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { ClaimKind, StorageClassKind, VolumeKind, type Claim, type Volume } from "../context/simulated-kinds.ts";
import { compareQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";

const storageClass = "standard";

/** Binds claims to volumes. Volumes of the default class are created at once, without waiting for a pod. */
export async function runVolumes(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:persistent-volume-binder");
  const tools = { context, client };
  const slow = () => new PacedQueue(context, () => stepDelay(context));
  // A free volume concerns the claims without a volume; a claim concerns its volume.
  const pending = enqueueFromMap((volume: Volume) => {
    if (volume.status?.phase !== "Available") return [];
    return keysOf<Claim>(context.objects.list(ClaimKind), ({ status }) => status?.phase !== "Bound");
  });
  const bound = enqueueFromMap(({ spec }: Claim) => (spec.volumeName ? [{ name: spec.volumeName }] : []));
  await createStorageClass(client);
  await Promise.all([
    runController(context, {
      sources: [watch(context, ClaimKind), watch(context, VolumeKind, pending)],
      queue: slow(),
      step: async (key) => {
        const claim = await client.getOrUndefined(ClaimKind, key);
        if (claim && !claim.metadata.deletionTimestamp && claim.status?.phase !== "Bound") await bind(tools, claim);
      },
    }),
    runController(context, {
      sources: [watch(context, VolumeKind), watch(context, ClaimKind, bound)],
      queue: slow(),
      step: ({ name }) => updateVolume(tools, name),
    }),
  ]);
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
}

async function createStorageClass(client: Client): Promise<void> {
  const metadata = { name: storageClass, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
  const object = {
    metadata,
    provisioner: "tsop.dev/simulated",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
  } as const;
  await client.create(StorageClassKind, object).catch(ignoreAlreadyExists);
}

/** Binds a claim to a volume that exists or can be created. */
async function bind(tools: Tools, claim: Claim): Promise<void> {
  const { client } = tools;
  const { volumeName } = claim.spec;
  if (volumeName) {
    const volume = await client.getOrUndefined(VolumeKind, { name: volumeName });
    if (volume && isFor(volume, claim)) await bindTo(tools, claim, volume);
    return;
  }
  const volume = findVolume((await client.list(VolumeKind)).items, claim);
  if (volume) return bindTo(tools, claim, volume);
  if ((claim.spec.storageClassName ?? storageClass) === storageClass) return provision(tools, claim);
  await recordUnbound(tools, claim);
}

async function bindTo({ context, client }: Tools, claim: Claim, volume: Volume): Promise<void> {
  const bound = await client.update(VolumeKind, {
    ...volume,
    metadata: volume.spec.claimRef ? volume.metadata : withAnnotations(volume, boundByController),
    spec: { ...volume.spec, claimRef: objectReference(claim) },
  });
  await setPhase({ context, client }, bound, "Bound");
  const { spec } = claim;
  const named = spec.volumeName ? {} : boundByController;
  const taken = await client.update(ClaimKind, {
    ...claim,
    metadata: withAnnotations(claim, { ...named, ...bindCompleted }),
    spec: {
      ...spec,
      volumeName: volume.metadata.name ?? "",
      ...(volume.spec.storageClassName && { storageClassName: volume.spec.storageClassName }),
    },
  });
  const { accessModes = [], capacity = {} } = volume.spec;
  await client.status.update(ClaimKind, { ...taken, status: { phase: "Bound", accessModes, capacity } });
}

function withAnnotations({ metadata }: Claim | Volume, more: Record<string, string>): Claim["metadata"] {
  return { ...metadata, annotations: { ...metadata.annotations, ...more } };
}

async function provision(tools: Tools, claim: Claim): Promise<void> {
  const volume = newVolume(claim, storageClass);
  await tools.client.create(VolumeKind, volume).catch(ignoreAlreadyExists);
  await bindTo(tools, claim, await tools.client.get(VolumeKind, { name: volume.metadata.name ?? "" }));
}

/** Records why a claim is not bound. A known class is left to its provisioner. */
async function recordUnbound({ context, client }: Tools, claim: Claim): Promise<void> {
  const name = claim.spec.storageClassName ?? "";
  const recorder = context.recorder(client, "persistentvolume-controller");
  if (name === "") {
    const message = "no persistent volumes available for this claim and no storage class is set";
    return recorder.event(claim, "Normal", "FailedBinding", message);
  }
  if (await client.getOrUndefined(StorageClassKind, { name })) return;
  const message = `storageclass.storage.k8s.io "${name}" not found`;
  recorder.event(claim, "Warning", "ProvisioningFailed", message);
}

/** Sets the phase of a volume that is free or whose claim no longer exists. */
async function updateVolume(tools: Tools, name: string): Promise<void> {
  const volume = await tools.client.getOrUndefined(VolumeKind, { name });
  if (!volume || volume.metadata.deletionTimestamp) return release(tools, volume);
  const { claimRef } = volume.spec;
  if (!claimRef?.uid) return setPhase(tools, volume, "Available");
  if (await isClaimGone(tools.client, volume)) await release(tools, volume);
}

async function release(tools: Tools, volume: Volume | undefined): Promise<void> {
  if (!volume?.spec.claimRef?.uid || !(await isClaimGone(tools.client, volume))) return;
  await setPhase(tools, volume, "Released");
  if (volume.spec.persistentVolumeReclaimPolicy !== "Delete") return;
  await tools.client.delete(VolumeKind, { name: volume.metadata.name ?? "" }).catch(ignoreNotFound);
}

async function isClaimGone(client: Client, { spec }: Volume): Promise<boolean> {
  const { namespace = "", name = "", uid } = spec.claimRef ?? {};
  const key: ObjectKey = { namespace, name };
  return (await client.getOrUndefined(ClaimKind, key))?.metadata.uid !== uid;
}

async function setPhase(
  { context, client }: Tools,
  volume: Volume,
  phase: "Available" | "Bound" | "Released",
): Promise<void> {
  if (volume.status?.phase === phase) return;
  const status = { ...volume.status, phase, lastPhaseTransitionTime: timestamp(context.clock.now()) };
  await client.status.update(VolumeKind, { ...volume, status });
}

const boundByController: Record<string, string> = { "pv.kubernetes.io/bound-by-controller": "yes" };
const bindCompleted: Record<string, string> = { "pv.kubernetes.io/bind-completed": "yes" };

/** Finds the smallest free volume that satisfies a claim. */
function findVolume(volumes: readonly Volume[], claim: Claim): Volume | undefined {
  const fitting = volumes.filter((volume) => isFor(volume, claim) && fits(volume, claim));
  return fitting.toSorted((a, b) => compareQuantities(sizeOf(a), sizeOf(b)))[0];
}

/** Reports whether no other claim has the volume. */
function isFor({ metadata, spec }: Volume, claim: Claim): boolean {
  if (metadata.deletionTimestamp) return false;
  if (!spec.claimRef) return true;
  const { namespace, name, uid } = spec.claimRef;
  const isNamed = namespace === claim.metadata.namespace && name === claim.metadata.name;
  return isNamed && (!uid || uid === claim.metadata.uid);
}

/** Returns the volume for a claim of the simulated class. */
function newVolume(claim: Claim, storageClassName: string): Volume {
  const { metadata, spec } = claim;
  const name = `pvc-${metadata.uid}`;
  return {
    metadata: { name },
    spec: {
      accessModes: spec.accessModes ?? [],
      capacity: { storage: spec.resources?.requests?.["storage"] ?? "1Gi" },
      claimRef: objectReference(claim),
      hostPath: { path: `/simulated/${name}`, type: "" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName,
      volumeMode: spec.volumeMode ?? "Filesystem",
    },
  };
}

function fits(volume: Volume, { spec }: Claim): boolean {
  const modes = volume.spec.accessModes ?? [];
  const wanted = parseQuantity(spec.resources?.requests?.["storage"] ?? "0");
  return (
    (volume.spec.storageClassName ?? "") === (spec.storageClassName ?? "") &&
    (volume.spec.volumeMode ?? "Filesystem") === (spec.volumeMode ?? "Filesystem") &&
    (spec.accessModes ?? []).every((mode) => modes.includes(mode)) &&
    compareQuantities(sizeOf(volume), wanted) >= 0
  );
}

function sizeOf({ spec }: Volume): ReturnType<typeof parseQuantity> {
  return parseQuantity(spec.capacity?.["storage"] ?? "0");
}
