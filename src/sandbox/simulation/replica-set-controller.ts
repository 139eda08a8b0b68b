import { equalJson } from "../../apimachinery/equal.ts";
import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { OwnerReference } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { recordEvent } from "./record-event.ts";
import { planReplicaSet, replicaSetStatus } from "./replica-set-plan.ts";
import {
  controllerKeys,
  reactionDelay,
  runKindController,
  timestamp,
  type SimulationContext,
} from "./simulation-context.ts";
import { PodKind, ReplicaSetKind, type Pod, type ReplicaSet } from "./simulated-kinds.ts";

/** Keeps as many pods as each ReplicaSet wants. */
export function runReplicaSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:replicaset-controller");
  return runKindController(context, client, {
    kind: ReplicaSetKind,
    delay: () => reactionDelay(context),
    step: (namespace, name) => stepReplicaSet(context, client, { namespace, name }),
    triggers: [{ kind: PodKind, keysOf: controllerKeys(ReplicaSetKind) }],
  });
}

async function stepReplicaSet(
  context: SimulationContext,
  client: Client,
  key: { namespace: string; name: string },
): Promise<number | void> {
  const replicaSet = await client.getOrUndefined(ReplicaSetKind, key);
  if (!replicaSet) return;
  const pods = await client.list(PodKind, { namespace: key.namespace });
  const plan = planReplicaSet(replicaSet, pods.items);
  if (!replicaSet.metadata.deletionTimestamp) {
    for (const pod of plan.adopt) await setController(client, pod, ownerReference(replicaSet));
    for (const pod of plan.release) await setController(client, pod, undefined);
    for (let count = 0; count < plan.create; count++) await createPod(context, client, replicaSet);
    for (const pod of plan.remove) await deletePod(context, client, { replicaSet, pod });
  }
  const { status, changesIn } = replicaSetStatus(replicaSet, plan.active, context.clock.now());
  if (!equalJson(status, replicaSet.status)) {
    await client.status.update(ReplicaSetKind, { ...replicaSet, status });
  }
  return changesIn;
}

async function setController(client: Client, pod: Pod, owner: OwnerReference | undefined): Promise<void> {
  const others = (pod.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
  await client.update(PodKind, {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: owner ? [...others, owner] : others },
  });
}

async function createPod(context: SimulationContext, client: Client, replicaSet: ReplicaSet): Promise<void> {
  const { template } = replicaSet.spec;
  const { name, namespace } = replicaSet.metadata;
  const pod = await client.create(PodKind, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...template.metadata,
      generateName: `${name}-`,
      ...(namespace && { namespace }),
      ownerReferences: [ownerReference(replicaSet)],
    },
    spec: template.spec,
  });
  await tell(context, client, { replicaSet, reason: "SuccessfulCreate", message: `Created pod: ${pod.metadata.name}` });
}

async function deletePod(
  context: SimulationContext,
  client: Client,
  { replicaSet, pod }: { replicaSet: ReplicaSet; pod: Pod },
): Promise<void> {
  const { namespace, name = "", uid } = pod.metadata;
  await client.delete(PodKind, { namespace, name }, { preconditions: { ...(uid && { uid }) } });
  await tell(context, client, { replicaSet, reason: "SuccessfulDelete", message: `Deleted pod: ${name}` });
}

function tell(
  context: SimulationContext,
  client: Client,
  { replicaSet, reason, message }: { replicaSet: ReplicaSet; reason: string; message: string },
): Promise<void> {
  const source = { client, component: "replicaset-controller", now: timestamp(context) };
  return recordEvent(source, ReplicaSetKind, replicaSet, { type: "Normal", reason, message });
}

function ownerReference({ metadata }: ReplicaSet): OwnerReference {
  const { name = "", uid = "" } = metadata;
  const of = { apiVersion: apiVersionOf(ReplicaSetKind), kind: ReplicaSetKind.kind, name, uid };
  return { ...of, controller: true, blockOwnerDeletion: true };
}
