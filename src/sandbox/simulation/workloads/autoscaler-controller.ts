import { equalJson } from "../../../apimachinery/equal.ts";
import { defineKind, parseApiVersion, type Kind } from "../../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, Named, ObjectKey } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Client } from "../../../client/client.ts";
import type { HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus } from "../../../k8s/autoscaling/v2.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { enqueueBeside, runController, watch } from "../context/run-controller.ts";
import { DeploymentKind, ReplicaSetKind, type WorkloadCondition, StatefulSetKind } from "../context/simulated-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { withCondition } from "../context/workload-conditions.ts";
import type { ServedKinds } from "../housekeeping/served-kinds.ts";

interface AutoscalerStatus extends Omit<
  HorizontalPodAutoscalerStatus,
  "currentReplicas" | "currentMetrics" | "conditions"
> {
  currentReplicas?: number | undefined;
  currentMetrics?: object[] | null;
  conditions?: WorkloadCondition[];
}

interface Autoscaler extends KubeObject {
  spec: HorizontalPodAutoscalerSpec;
  status?: AutoscalerStatus;
}

interface Scale extends KubeObject {
  spec: { replicas?: number };
}

const AutoscalerKind: Kind<Autoscaler> = defineKind({
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  subresources: ["status"],
});

/** The time after which an autoscaler looks at its target again, as on a cluster. */
const periodMs = 15_000;

/**
 * Keeps the replicas of the targets of HorizontalPodAutoscalers between their limits. Their status and events are those
 * of a cluster without a metrics server, because nothing is measured here. A cluster looks at a target every 15
 * seconds; here, a change of a workload does, too, so that `tsop check` sees its effect in the same step.
 */
export function runAutoscalers(context: SimulationContext, kinds: ServedKinds): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:horizontal-pod-autoscaler");
  const events = context.recorder(client, "horizontal-pod-autoscaler");
  const targets = [DeploymentKind, StatefulSetKind, ReplicaSetKind].map((kind) =>
    watch<KubeObject>(context, kind, enqueueBeside(context, AutoscalerKind, targetsOf(kind))),
  );
  return runController(context, {
    sources: [watch(context, AutoscalerKind), ...targets],
    step: async (key) => {
      const autoscaler = await client.getOrUndefined(AutoscalerKind, key);
      if (!autoscaler) return;
      const now = timestamp(context.clock.now());
      const target = await findTarget({ client, kinds }, autoscaler).catch(messageOf);
      const round = typeof target === "string" ? failed(target) : await align(client, autoscaler, target, now);
      const before = autoscaler.status ?? { desiredReplicas: 0 };
      const { generation } = autoscaler.metadata;
      const conditionsNow = generation === undefined ? round.conditions : round.conditions.flatMap(withScaleToZero);
      const conditions = conditionsNow.reduce((all, one) => withCondition(all, one, now), before.conditions ?? []);
      const observed = round.status && generation !== undefined && { observedGeneration: generation };
      const status = { ...before, ...round.status, ...observed, conditions };
      if (equalJson(status, before)) return periodMs;
      if (round.event) events.event(autoscaler, ...round.event);
      await client.status.update(AutoscalerKind, { ...autoscaler, status });
      return periodMs;
    },
  });
}

function targetsOf({ kind }: Kind) {
  return ({ spec: { scaleTargetRef } }: DeepReadonly<Autoscaler>, { metadata }: KubeObject): boolean =>
    scaleTargetRef.kind === kind && scaleTargetRef.name === metadata.name;
}

/** The object that an autoscaler scales. */
interface Target {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly scale: Scale;
}

async function findTarget(
  { client, kinds }: { readonly client: Client; readonly kinds: ServedKinds },
  { metadata, spec }: Named<Autoscaler>,
): Promise<Target> {
  const { apiVersion = "", kind: wanted, name } = spec.scaleTargetRef;
  const { group } = parseApiVersion(apiVersion);
  const kind = kinds.having("get").find((each) => each.group === group && each.kind === wanted);
  if (!kind) throw new Error(`no matches for kind "${wanted}" in group "${group}"`);
  const key = { namespace: metadata.namespace, name };
  return { kind, key, scale: await client.subResource("scale").get<Scale>(kind, key) };
}

/** What a look at a target has led to: an event, conditions in the order in which they are set, and other fields. */
interface Round {
  readonly event?: readonly ["Normal" | "Warning", reason: string, message: string];
  readonly conditions: readonly WorkloadCondition[];
  readonly status?: Partial<AutoscalerStatus>;
}

/** Scales a target that is not within the limits of its autoscaler. */
async function align(client: Client, { spec }: Autoscaler, target: Target, now: string): Promise<Round> {
  const { maxReplicas, minReplicas = 1, metrics = [] } = spec;
  const { replicas = 0 } = target.scale.spec;
  if (replicas === 0 && minReplicas !== 0)
    return {
      conditions: [succeededGetScale, inactive("ScalingDisabled", "the target has no replicas")],
      status: { currentReplicas: undefined, desiredReplicas: 0, currentMetrics: null },
    };
  const size = Math.min(maxReplicas, Math.max(minReplicas, replicas));
  if (size === replicas) {
    // Within the limits, a decision would need metrics.
    const reason = `FailedGet${metrics[0]?.type ?? "Resource"}Metric`;
    const message = "the cluster has no metrics API";
    return {
      event: ["Warning", reason, message],
      conditions: [succeededGetScale, inactive(reason, message)],
      status: { currentReplicas: replicas || undefined, currentMetrics: metrics.map(() => ({ type: "" })) },
    };
  }
  const { kind, key, scale } = target;
  const wanted = { ...scale, metadata: { ...scale.metadata, ...key }, spec: { replicas: size } } as KubeObject;
  const update = client.subResource("scale").update(kind, wanted);
  const refusal = await update.then(() => undefined, messageOf);
  const known = { currentReplicas: replicas || undefined, currentMetrics: null };
  return refusal === undefined
    ? {
        event: ["Normal", "SuccessfulRescale", `New size: ${size}`],
        conditions: [able("True", "SucceededRescale", `the new size is ${size}`)],
        status: { ...known, desiredReplicas: size, lastScaleTime: now },
      }
    : {
        event: ["Warning", "FailedRescale", `New size: ${size}; error: ${refusal}`],
        conditions: [able("False", "FailedUpdateScale", refusal)],
        status: known,
      };
}

function able(status: "True" | "False", reason: string, message: string): WorkloadCondition {
  return { type: "AbleToScale", status, reason, message };
}

function inactive(reason: string, message: string): WorkloadCondition {
  return { type: "ScalingActive", status: "False", reason, message };
}

/** Adds what a change of the size says about the size 0, which needs metrics. */
function withScaleToZero(condition: WorkloadCondition): WorkloadCondition[] {
  if (condition.reason !== "SucceededRescale") return [condition];
  const message = "the controller has not scaled the target to zero";
  return [condition, { type: "ScaledToZero", status: "False", reason: "NotScaledToZero", message }];
}

const succeededGetScale = able("True", "SucceededGetScale", "the scale of the target is known");

function failed(message: string): Round {
  return {
    event: ["Warning", "FailedGetScale", message],
    conditions: [able("False", "FailedGetScale", message)],
  };
}
