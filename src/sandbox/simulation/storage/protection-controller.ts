import type { Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { runKindController, type SimulationContext } from "../context/simulation-context.ts";
import { isFinished } from "../pods/pod-state.ts";
import { PodKind, type Pod } from "../context/simulated-kinds.ts";
import { ClaimKind, VolumeKind } from "./volume-kinds.ts";

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";

/** Lets deleted claims go when no pod uses them any more, and deleted volumes when no claim has them. */
export async function runProtection(context: SimulationContext): Promise<void> {
  const claims = context.clientFor("system:serviceaccount:kube-system:pvc-protection-controller");
  const volumes = context.clientFor("system:serviceaccount:kube-system:pv-protection-controller");
  await Promise.all([
    runKindController(context, claims, {
      kind: ClaimKind,
      step: (key) => letClaimGo(claims, key),
      triggers: [
        { kind: PodKind, keysOf: (pod) => claimsOf(pod as Pod).map((name) => `${pod.metadata.namespace}/${name}`) },
      ],
    }),
    runKindController(context, volumes, {
      kind: VolumeKind,
      step: async ({ name }) => {
        const volume = await volumes.getOrUndefined(VolumeKind, { name });
        if (volume && volume.status?.phase !== "Bound") await letGo(volumes, VolumeKind, volume, volumeFinalizer);
      },
    }),
  ]);
}

async function letClaimGo(client: Client, key: ObjectKey): Promise<void> {
  const claim = await client.getOrUndefined(ClaimKind, key);
  if (!claim?.metadata.deletionTimestamp) return;
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const isUsed = items.some((pod) => !isFinished(pod) && claimsOf(pod).includes(key.name));
  if (!isUsed) await letGo(client, ClaimKind, claim, claimFinalizer);
}

function claimsOf({ spec }: Pod): string[] {
  const volumes = (spec["volumes"] ?? []) as { persistentVolumeClaim?: { claimName: string } }[];
  return volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

async function letGo<T extends KubeObject>(client: Client, kind: Kind<T>, object: T, finalizer: string): Promise<void> {
  const { metadata } = object;
  if (!metadata.deletionTimestamp || !metadata.finalizers?.includes(finalizer)) return;
  const finalizers = metadata.finalizers.filter((name) => name !== finalizer);
  await client.update(kind, { ...object, metadata: { ...metadata, finalizers } });
}
