import { equalJson } from "../../apimachinery/equal.ts";
import type { ObjectKey, OwnerReference } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { controllerReference, PodControl } from "./controlled-pods.ts";
import { planReplicaSet, replicaSetStatus } from "./replica-set-plan.ts";
import { controllerKeys, reactionDelay, runKindController, type SimulationContext } from "./simulation-context.ts";
import { PodKind, ReplicaSetKind, type Pod, type ReplicaSet } from "./simulated-kinds.ts";

/** Keeps as many pods as each ReplicaSet wants. */
export function runReplicaSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:replicaset-controller");
  const pods = new PodControl(context, client, { kind: ReplicaSetKind, component: "replicaset-controller" });
  return runKindController(context, client, {
    kind: ReplicaSetKind,
    delay: () => reactionDelay(context),
    step: (key) => stepReplicaSet(key, { client, pods, now: () => context.clock.now() }),
    triggers: [{ kind: PodKind, keysOf: controllerKeys(ReplicaSetKind) }],
  });
}

interface Tools {
  readonly client: Client;
  readonly pods: PodControl<ReplicaSet>;
  readonly now: () => number;
}

async function stepReplicaSet(key: ObjectKey, { client, pods, now }: Tools): Promise<number | void> {
  const replicaSet = await client.getOrUndefined(ReplicaSetKind, key);
  if (!replicaSet) return;
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const plan = planReplicaSet(replicaSet, items);
  if (!replicaSet.metadata.deletionTimestamp) {
    const reference = controllerReference(ReplicaSetKind, replicaSet);
    for (const pod of plan.adopt) await setController(client, pod, reference);
    for (const pod of plan.release) await setController(client, pod, undefined);
    const identity = { generateName: `${key.name}-` };
    for (let count = 0; count < plan.create; count++) await pods.create(replicaSet, replicaSet.spec.template, identity);
    for (const pod of plan.remove) await pods.delete(replicaSet, pod);
  }
  const { status, changesIn } = replicaSetStatus(replicaSet, plan.active, now());
  if (!equalJson(status, replicaSet.status)) await client.status.update(ReplicaSetKind, { ...replicaSet, status });
  return changesIn;
}

async function setController(client: Client, pod: Pod, owner: OwnerReference | undefined): Promise<void> {
  const others = (pod.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
  await client.update(PodKind, {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: owner ? [...others, owner] : others },
  });
}
