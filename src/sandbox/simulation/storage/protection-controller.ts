import { equalJson } from "../../../apimachinery/equal.ts";
import { isSince } from "../../../apimachinery/kubernetes-version.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type ObjectKey } from "../../../apimachinery/meta.ts";
import type { PersistentVolumeClaimCondition } from "../../../k8s/core/v1.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import type { Client } from "../../../client/client.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { withCondition } from "../context/workload-conditions.ts";
import { claimsOf } from "../pods/pod-needs.ts";
import { isFinished } from "../pods/pod-state.ts";
import { PodKind, type Pod, ClaimKind, VolumeKind } from "../context/simulated-kinds.ts";

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";

/** Releases deleted claims that no pod uses, and deleted volumes that no claim has. Notes since when a claim is unused. */
export async function runProtection(context: SimulationContext): Promise<void> {
  const claims = context.clientFor("system:serviceaccount:kube-system:pvc-protection-controller");
  const volumes = context.clientFor("system:serviceaccount:kube-system:pv-protection-controller");
  const claimed = enqueueFromMap((pod: Pod) => claimsOf(pod).map((name) => ({ ...objectKey(pod), name })));
  await Promise.all([
    runController(context, {
      sources: [watch(context, ClaimKind), watch(context, PodKind, claimed)],
      step: (key) => protectClaim(context, claims, key),
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

async function protectClaim(
  { clock, kubernetesVersion }: SimulationContext,
  client: Client,
  key: ObjectKey,
): Promise<void> {
  const claim = await client.getOrUndefined(ClaimKind, key);
  const isDeleted = claim?.metadata.deletionTimestamp !== undefined;
  const isObserved = !isDeleted && claim?.status?.phase === "Bound" && isSince(kubernetesVersion, "1.37");
  if (!claim || !(isDeleted || isObserved)) return;
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const isUsed = items.some((pod) => !isFinished(pod) && claimsOf(pod).includes(key.name));
  if (isDeleted && !isUsed) await removeFinalizer(client, ClaimKind, claim, claimFinalizer);
  if (!isObserved) return;
  const before = claim.status?.conditions ?? [];
  const conditions = withCondition(before, isUsed ? used : unused, timestamp(clock.now()));
  if (!equalJson(conditions, before))
    await client.status.update(ClaimKind, { ...claim, status: { ...claim.status, conditions } });
}

const used: PersistentVolumeClaimCondition = { type: "Unused", status: "False", reason: "PodUsingPVC" };
const unused: PersistentVolumeClaimCondition = { type: "Unused", status: "True", reason: "NoPodsUsingPVC" };

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
