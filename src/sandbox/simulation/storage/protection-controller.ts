import type { Kind } from "../../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type ObjectKey } from "../../../apimachinery/meta.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import type { Client } from "../../../client/client.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { claimsOf } from "../pods/pod-needs.ts";
import { isFinished } from "../pods/pod-state.ts";
import { PodKind, type Pod, ClaimKind, VolumeKind } from "../context/simulated-kinds.ts";

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";

/** Releases deleted claims that no pod uses, and deleted volumes that no claim has. */
export async function runProtection(context: SimulationContext): Promise<void> {
  const claims = context.clientFor("system:serviceaccount:kube-system:pvc-protection-controller");
  const volumes = context.clientFor("system:serviceaccount:kube-system:pv-protection-controller");
  const used = enqueueFromMap((pod: Pod) => claimsOf(pod).map((name) => ({ ...objectKey(pod), name })));
  await Promise.all([
    runController(context, {
      sources: [watch(context, ClaimKind), watch(context, PodKind, used)],
      step: (key) => releaseClaim(claims, key),
    }),
    runController(context, {
      sources: [watch(context, VolumeKind)],
      step: async ({ name }) => {
        const volume = await volumes.getOrUndefined(VolumeKind, { name });
        if (volume && volume.status?.phase !== "Bound")
          await removeFinalizer(volumes, VolumeKind, volume, volumeFinalizer);
      },
    }),
  ]);
}

async function releaseClaim(client: Client, key: ObjectKey): Promise<void> {
  const claim = await client.getOrUndefined(ClaimKind, key);
  if (!claim?.metadata.deletionTimestamp) return;
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const isUsed = items.some((pod) => !isFinished(pod) && claimsOf(pod).includes(key.name));
  if (!isUsed) await removeFinalizer(client, ClaimKind, claim, claimFinalizer);
}

async function removeFinalizer<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: T,
  finalizer: string,
): Promise<void> {
  const { metadata } = object;
  if (!metadata.deletionTimestamp || !metadata.finalizers?.includes(finalizer)) return;
  const finalizers = metadata.finalizers.filter((name) => name !== finalizer);
  await client.update(kind, { ...object, metadata: { ...metadata, finalizers } });
}
