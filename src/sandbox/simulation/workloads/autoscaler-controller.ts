import { equalJson } from "../../../apimachinery/equal.ts";
import { defineKind, parseApiVersion, type Kind } from "../../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, Named, ObjectKey } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Client } from "../../../client/client.ts";
import type { HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus } from "../../../k8s/autoscaling/v2.ts";
import { messageOf } from "../../../errors/message-of.ts";
import type { CoreEventRecorder } from "../../../runtime/event-recorder/core-event-recorder.ts";
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

/** The time after which an autoscaler looks at an unchanged target again, as on a cluster. */
const periodMs = 15_000;

/**
 * Keeps the replicas of the targets of HorizontalPodAutoscalers between their limits. Their status and events are those
 * of a cluster without a metrics server, because nothing is measured here. A cluster looks at a target every 15
 * seconds; here, a change of a workload starts a round, so that `tsop check` sees its effect in the same step.
 */
export function runAutoscalers(context: SimulationContext, kinds: ServedKinds): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:horizontal-pod-autoscaler");
  const events = context.recorder(client, "horizontal-pod-autoscaler");
  const controller = new AutoscalerController({ context, client, events, kinds });
  const targets = [DeploymentKind, StatefulSetKind, ReplicaSetKind].map((kind) =>
    watch<KubeObject>(context, kind, enqueueBeside(context, AutoscalerKind, targetsOf(kind))),
  );
  return runController(context, {
    sources: [watch(context, AutoscalerKind), ...targets],
    step: (key) => controller.step(key),
  });
}

function targetsOf({ kind }: Kind) {
  return ({ spec: { scaleTargetRef } }: DeepReadonly<Autoscaler>, { metadata }: KubeObject): boolean =>
    scaleTargetRef.kind === kind && scaleTargetRef.name === metadata.name;
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly events: CoreEventRecorder;
  readonly kinds: ServedKinds;
}

/** The result of a round: an event, conditions in the order in which they are set, and other fields of the status. */
interface Round {
  readonly event?: readonly ["Normal" | "Warning", reason: string, message: string];
  readonly conditions: readonly WorkloadCondition[];
  readonly status?: Partial<AutoscalerStatus>;
  /** The number of replicas, if the round has changed it. */
  readonly size?: number;
}

/** An autoscaler between its rounds. */
interface Known {
  /** The autoscaler and its target after the last round; the events of their other changes start no round. */
  seen?: string;
  /** The time of the next round. */
  due: number;
}

class AutoscalerController {
  private readonly tools: Tools;
  private readonly known = new Map<string, Known>();

  constructor(tools: Tools) {
    this.tools = tools;
  }

  async step({ namespace, name }: ObjectKey): Promise<number | void> {
    const { client, context, events } = this.tools;
    const id = `${namespace}/${name}`;
    const autoscaler = await client.getOrUndefined(AutoscalerKind, { namespace, name });
    if (!autoscaler) return void this.known.delete(id);
    const known = this.known.get(id) ?? { due: 0 };
    this.known.set(id, known);
    const now = context.clock.now();
    const target = await this.findTarget(autoscaler).catch(messageOf);
    const current = typeof target === "string" ? target : target.scale.spec.replicas;
    const stateOf = (size: number | string | undefined): string => JSON.stringify([autoscaler.spec, size]);
    if (now < known.due && known.seen === stateOf(current)) return known.due - now;
    const round = typeof target === "string" ? failed(target) : await this.round(autoscaler, target);
    if (round.event) events.event(autoscaler, ...round.event);
    await this.writeStatus(autoscaler, round);
    Object.assign(known, { seen: stateOf(round.size ?? current), due: now + periodMs });
    return periodMs;
  }

  private async writeStatus(autoscaler: Named<Autoscaler>, { conditions, status }: Round): Promise<void> {
    const { client, context } = this.tools;
    const now = timestamp(context.clock.now());
    const before = autoscaler.status ?? { desiredReplicas: 0 };
    const next = conditions.reduce((all, one) => withCondition(all, one, now), before.conditions ?? []);
    const wanted = { ...before, ...status, conditions: next };
    if (!equalJson(wanted, before)) await client.status.update(AutoscalerKind, { ...autoscaler, status: wanted });
  }

  private async round({ spec }: Named<Autoscaler>, target: Target): Promise<Round> {
    const { maxReplicas, minReplicas = 1, metrics = [] } = spec;
    const { replicas = 0 } = target.scale.spec;
    if (replicas === 0 && minReplicas !== 0)
      return {
        conditions: [succeededGetScale, inactive("ScalingDisabled", "the target has no replicas")],
        status: { currentReplicas: undefined, desiredReplicas: 0, currentMetrics: null },
      };
    const size = Math.min(maxReplicas, Math.max(minReplicas, replicas));
    if (size !== replicas) return this.rescale(target, size);
    // Within the limits, a decision would need metrics.
    const reason = `FailedGet${metrics[0]?.type ?? "Resource"}Metric`;
    const message = "the cluster has no metrics API";
    return {
      event: ["Warning", reason, message],
      conditions: [succeededGetScale, inactive(reason, message)],
      status: { currentReplicas: replicas || undefined, currentMetrics: metrics.map(() => ({ type: "" })) },
    };
  }

  private async findTarget({ metadata, spec }: Named<Autoscaler>): Promise<Target> {
    const { client, kinds } = this.tools;
    const { apiVersion = "", kind: wanted, name } = spec.scaleTargetRef;
    const { group } = parseApiVersion(apiVersion);
    const kind = kinds.having("get").find((each) => each.group === group && each.kind === wanted);
    if (!kind) throw new Error(`no matches for kind "${wanted}" in group "${group}"`);
    const key = { namespace: metadata.namespace, name };
    return { kind, key, scale: await client.subResource("scale").get<Scale>(kind, key) };
  }

  private async rescale({ kind, key, scale }: Target, size: number): Promise<Round> {
    const { client, context } = this.tools;
    const known = { currentReplicas: scale.spec.replicas || undefined, currentMetrics: null };
    const refusal = await client
      .subResource("scale")
      .update(kind, { ...scale, metadata: { ...scale.metadata, ...key }, spec: { replicas: size } } as KubeObject)
      .then(() => undefined, messageOf);
    if (refusal !== undefined)
      return {
        event: ["Warning", "FailedRescale", `New size: ${size}; error: ${refusal}`],
        conditions: [able("False", "FailedUpdateScale", refusal)],
        status: known,
      };
    return {
      event: ["Normal", "SuccessfulRescale", `New size: ${size}`],
      conditions: [able("True", "SucceededRescale", `the new size is ${size}`)],
      status: { ...known, desiredReplicas: size, lastScaleTime: timestamp(context.clock.now()) },
      size,
    };
  }
}

/** The object that an autoscaler scales. */
interface Target {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly scale: Scale;
}

function able(status: "True" | "False", reason: string, message: string): WorkloadCondition {
  return { type: "AbleToScale", status, reason, message };
}

function inactive(reason: string, message: string): WorkloadCondition {
  return { type: "ScalingActive", status: "False", reason, message };
}

const succeededGetScale = able("True", "SucceededGetScale", "the scale of the target is known");

function failed(message: string): Round {
  return {
    event: ["Warning", "FailedGetScale", message],
    conditions: [able("False", "FailedGetScale", message)],
  };
}
