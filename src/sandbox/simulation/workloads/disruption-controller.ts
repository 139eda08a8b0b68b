import { setCondition } from "../../../apimachinery/conditions.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { scaledIntOrPercent } from "../../../apimachinery/int-or-percent.ts";
import type { Condition, DeepReadonly, KubeObject, ObjectKey } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import type { Client } from "../../../client/client.ts";
import { controllerOf } from "../../../runtime/objects/owner-references.ts";
import { isLeaving, isReady } from "../pods/pod-state.ts";
import { enqueueBeside, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import {
  DisruptionBudgetKind,
  type DisruptionBudget,
  DeploymentKind,
  PodKind,
  ReplicaSetKind,
  type Pod,
  type ReplicaSet,
  StatefulSetKind,
} from "../context/simulated-kinds.ts";

/** Computes how many pods of each PodDisruptionBudget may be evicted. */
export function runDisruptions(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:disruption-controller");
  const covering = enqueueBeside(context, DisruptionBudgetKind, covers);
  // The budgets take their percentages of the pods that an owner wants.
  const beside = enqueueBeside(context, DisruptionBudgetKind);
  return runController(context, {
    sources: [
      watch(context, DisruptionBudgetKind),
      watch(context, PodKind, covering),
      watch(context, DeploymentKind, beside),
      watch(context, StatefulSetKind, beside),
      watch(context, ReplicaSetKind, beside),
    ],
    step: async (key) => {
      const budget = await client.getOrUndefined(DisruptionBudgetKind, key);
      if (budget) return stepBudget({ context, client }, budget);
    },
  });
}

function covers({ metadata, spec }: DeepReadonly<DisruptionBudget>, pod: KubeObject): boolean {
  if (metadata.namespace !== pod.metadata.namespace || !spec.selector) return false;
  return labelSelectorMatcher(spec.selector).matches(pod.metadata.labels ?? {});
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
}

async function stepBudget({ context, client }: Tools, budget: DisruptionBudget): Promise<number | void> {
  const all = (await client.list(PodKind, { namespace: budget.metadata.namespace })).items;
  const pods = all.filter((pod) => covers(budget, pod));
  const now = context.clock.now();
  const disruptedPods = pendingEvictions(budget, pods, now);
  const isHealthy = (pod: Pod) =>
    isReady(pod) && !isLeaving(pod) && disruptedPods[pod.metadata.name ?? ""] === undefined;
  const { expected, desired } = await countPods(client, budget, pods);
  const healthy = pods.filter(isHealthy).length;
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  const status: NonNullable<DisruptionBudget["status"]> = {
    observedGeneration: budget.metadata.generation ?? 0,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: conditionsOf(budget, allowed, timestamp(context.clock.now())),
  };
  if (!equalJson(status, budget.status)) await client.status.update(DisruptionBudgetKind, { ...budget, status });
  const ends = Object.values(disruptedPods).map((since) => Date.parse(since) + evictionTimeoutMs - now);
  return ends.length > 0 ? Math.max(0, Math.min(...ends)) : undefined;
}

/** Time after which an eviction without a deletion is forgotten. */
const evictionTimeoutMs = 2 * 60_000;

function pendingEvictions({ status }: DisruptionBudget, pods: readonly Pod[], now: number): Record<string, string> {
  const isPending = ([name, since]: [string, string]) => {
    const pod = pods.find(({ metadata }) => metadata.name === name);
    return pod !== undefined && !isLeaving(pod) && Date.parse(since) + evictionTimeoutMs > now;
  };
  return Object.fromEntries(Object.entries(status?.disruptedPods ?? {}).filter(isPending));
}

/** Returns the number of pods that are expected, and how many of them must be healthy. */
async function countPods(
  client: Client,
  { spec }: DisruptionBudget,
  pods: readonly Pod[],
): Promise<{ expected: number; desired: number }> {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expected = await countWanted(client, pods);
    return { expected, desired: Math.max(0, expected - scaledIntOrPercent(maxUnavailable, expected, "up")) };
  }
  if (typeof minAvailable === "number") return { expected: pods.length, desired: minAvailable };
  const expected = await countWanted(client, pods);
  return { expected, desired: scaledIntOrPercent(minAvailable ?? 0, expected, "up") };
}

/** Returns the sum of the replicas that the pods' controllers want. Pods without a controller do not count. */
async function countWanted(client: Client, pods: readonly Pod[]): Promise<number> {
  const wanted = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (!owner || wanted.has(owner.uid)) continue;
    const key = { namespace: pod.metadata.namespace, name: owner.name };
    if (owner.kind === "ReplicaSet") {
      const set = await client.getOrUndefined(ReplicaSetKind, key);
      if (set) wanted.set(...(await wantedOf(client, set)));
    } else if (owner.kind === "StatefulSet") {
      const set = await client.getOrUndefined(StatefulSetKind, key);
      if (set) wanted.set(owner.uid, set.spec.replicas ?? 1);
    }
  }
  return [...wanted.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the object that sets the replicas: the Deployment for its ReplicaSets, which count once. */
async function wantedOf(client: Client, { metadata, spec }: ReplicaSet): Promise<[uid: string, count: number]> {
  const owner = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === "Deployment");
  const key: ObjectKey = { namespace: metadata.namespace, name: owner?.name ?? "" };
  const deployment = owner && (await client.getOrUndefined(DeploymentKind, key));
  if (deployment) return [deployment.metadata.uid ?? "", deployment.spec.replicas ?? 1];
  return [metadata.uid ?? "", spec.replicas ?? 1];
}

function conditionsOf({ metadata, status }: DisruptionBudget, allowed: number, now: string): Condition[] {
  const conditions = (status?.conditions ?? []).map((each) => ({ ...each }));
  const observedGeneration = metadata.generation ?? 0;
  const why = { message: "", observedGeneration, lastTransitionTime: now };
  setCondition(conditions, { type: "DisruptionAllowed", ...(allowed > 0 ? enough : tooFew), ...why });
  return conditions;
}

const enough = { status: "True", reason: "SufficientPods" } as const;
const tooFew = { status: "False", reason: "InsufficientPods" } as const;
