import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import {
  claimObjects,
  PodControl,
  retryMs,
  watchClaims,
  controllerUid,
  mostOfStep,
  mostPods,
} from "./controlled-pods.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import {
  PodKind,
  ReplicaSetKind,
  type ReplicaSet,
  type Pod,
  type ReplicaSetStatus,
  type WorkloadCondition,
} from "../context/simulated-kinds.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { availableIn, isFinished, isLeaving, isReady } from "../pods/pod-state.ts";

/** Keeps the number of pods that each ReplicaSet wants. */
export function runReplicaSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:replicaset-controller");
  const pods = new PodControl(context, client, { kind: ReplicaSetKind, component: "replicaset-controller" });
  return runController(context, {
    sources: watchClaims(context, ReplicaSetKind, { owned: PodKind, selectorOf: ({ spec }) => spec.selector }),
    step: (replicaSet) => stepReplicaSet({ context, client, pods }, replicaSet),
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
  const { items } = await client.list(PodKind, { namespace: replicaSet.metadata.namespace });
  const isActive = (pod: Pod): boolean => !isFinished(pod) && !isLeaving(pod);
  const { selector } = replicaSet.spec;
  const claimant = { kind: ReplicaSetKind, owner: replicaSet, selector };
  const active = await claimObjects(client, claimant, { kind: PodKind, items: items.filter(isActive) });
  const terminating = items.filter(
    (pod) => isLeaving(pod) && !isFinished(pod) && controllerUid(pod) === replicaSet.metadata.uid,
  ).length;
  const plan = { ...planReplicaSet(replicaSet, active), active, terminating };
  if (!replicaSet.metadata.deletionTimestamp) {
    pods.reportLimit(replicaSet, replicaSet.spec.replicas ?? 1);
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

/** The next step of a ReplicaSet; every list may be empty. */
interface ReplicaSetPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** Plans the next step of a ReplicaSet from its active pods. */
function planReplicaSet(replicaSet: ReplicaSet, active: readonly Pod[]): ReplicaSetPlan {
  const surplus = active.length - Math.min(replicaSet.spec.replicas ?? 1, mostPods);
  const remove = surplus > 0 ? active.toSorted(byWorth).slice(0, Math.min(surplus, mostOfStep)) : [];
  return { create: Math.min(Math.max(0, -surplus), mostOfStep), remove };
}

interface ActivePods {
  /** Pods that count as replicas. */
  readonly active: readonly Pod[];
  /** Number of pods that are being deleted. */
  readonly terminating: number;
  /** The message of the server that rejected a pod. */
  readonly refusal?: string | undefined;
}

/** Computes the status from the active pods, and the time until it changes because a pod becomes available. */
function replicaSetStatus(
  replicaSet: ReplicaSet,
  { active, terminating, refusal }: ActivePods,
  now: number,
): { status: ReplicaSetStatus; changesIn?: number } {
  const ready = active.filter(isReady);
  const left = ready.map((pod) => availableIn(pod, replicaSet.spec.minReadySeconds, now)).filter((ms) => ms > 0);
  const labels = Object.entries(replicaSet.spec.template.metadata?.labels ?? {});
  const labelled = active.filter((pod) => labels.every(([name, value]) => pod.metadata.labels?.[name] === value));
  const available = ready.length - left.length;
  const conditions = failureConditions(replicaSet, refusal, now);
  const status = {
    replicas: active.length,
    ...(labelled.length && { fullyLabeledReplicas: labelled.length }),
    ...(ready.length && { readyReplicas: ready.length }),
    ...(available && { availableReplicas: available }),
    terminatingReplicas: terminating,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length && { conditions }),
  };
  return left.length ? { status, changesIn: Math.min(...left) } : { status };
}

function failureConditions({ status }: ReplicaSet, refusal: string | undefined, now: number): WorkloadCondition[] {
  if (refusal === undefined) return [];
  const type = "ReplicaFailure";
  const before = status?.conditions?.find((condition) => condition.type === type);
  const lastTransitionTime = timestamp(now);
  return [before ?? { type, status: "True", reason: "FailedCreate", message: refusal, lastTransitionTime }];
}

/** Orders pods for deletion: without a node, not running, not ready, youngest. */
export function byWorth(a: Pod, b: Pod): number {
  const worth = (pod: Pod) => [
    pod.spec.nodeName ? 1 : 0,
    pod.status?.phase === "Running" ? 1 : 0,
    isReady(pod) ? 1 : 0,
  ];
  const [left, right] = [worth(a), worth(b)];
  const difference = left.map((value, index) => value - right[index]!).find((value) => value !== 0);
  return difference ?? ((a.metadata.creationTimestamp ?? "") > (b.metadata.creationTimestamp ?? "") ? -1 : 1);
}
