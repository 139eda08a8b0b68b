import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { controllerReference, PodControl, retryMs, setController, watchClaims } from "./controlled-pods.ts";
import { planReplicaSet, replicaSetStatus } from "./replica-set-plan.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, ReplicaSetKind, type ReplicaSet } from "../context/simulated-kinds.ts";

/** Keeps the number of pods that each ReplicaSet wants. */
export function runReplicaSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:replicaset-controller");
  const pods = new PodControl(context, client, { kind: ReplicaSetKind, component: "replicaset-controller" });
  return runController(context, {
    sources: watchClaims(context, ReplicaSetKind, { owned: PodKind, selectorOf: ({ spec }) => spec.selector }),
    step: (key) => stepReplicaSet({ context, client, pods }, key),
  });
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly pods: PodControl<ReplicaSet>;
}

async function stepReplicaSet({ context, client, pods }: Tools, key: ObjectKey): Promise<number | void> {
  const replicaSet = await client.getOrUndefined(ReplicaSetKind, key);
  if (!replicaSet) return;
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const plan = planReplicaSet(replicaSet, items);
  if (!replicaSet.metadata.deletionTimestamp) {
    const reference = controllerReference(ReplicaSetKind, replicaSet);
    pods.reportLimit(replicaSet, replicaSet.spec.replicas ?? 1);
    for (const pod of plan.adopt) await setController(client, PodKind, { object: pod, reference });
    for (const pod of plan.release) await setController(client, PodKind, { object: pod });
    for (const pod of plan.remove) await pods.delete(replicaSet, pod);
  }
  const refusal = await createPods(pods, replicaSet, plan.create);
  const { status, changesIn } = replicaSetStatus(replicaSet, { ...plan, refusal }, context.clock.now());
  if (!equalJson(status, replicaSet.status)) await client.status.update(ReplicaSetKind, { ...replicaSet, status });
  return refusal === undefined ? changesIn : retryMs;
}

/** Creates pods until the server rejects one, and returns its message: the others would be rejected as well. */
async function createPods(
  pods: PodControl<ReplicaSet>,
  replicaSet: ReplicaSet,
  count: number,
): Promise<string | undefined> {
  if (replicaSet.metadata.deletionTimestamp) return undefined;
  const identity = { generateName: `${replicaSet.metadata.name}-` };
  for (let created = 0; created < count; created++) {
    const refusal = await pods.create(replicaSet, replicaSet.spec.template, identity);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
