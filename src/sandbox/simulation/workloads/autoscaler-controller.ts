import { equalJson } from "../../../apimachinery/equal.ts";
import { defineKind, parseApiVersion, type Kind } from "../../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, Named, ObjectKey } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Client } from "../../../client/client.ts";
import type { HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus } from "../../../k8s/autoscaling/v2.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
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
 * of a cluster without a metrics server, because nothing is measured here. A cluster looks at a target every 15 seconds
 * only; here, a change of a workload starts a round, so that `tsop check` sees its effect in the same step.
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

/** The result of a round: events, conditions in the order in which they are set, and other fields of the status. */
interface Round {
  readonly events?: readonly (readonly ["Normal" | "Warning", reason: string, message: string])[];
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
    const target = await this.findTarget(autoscaler).catch(reasonOf);
    const current = typeof target === "string" ? target : target.scale.spec.replicas;
    if (now < known.due && known.seen === stateOf(autoscaler, current)) return known.due - now;
    const round = typeof target === "string" ? failed(target) : await this.round(autoscaler, target);
    for (const event of round.events ?? []) events.event(autoscaler, ...event);
    await this.writeStatus(autoscaler, round);
    Object.assign(known, { seen: stateOf(autoscaler, round.size ?? current), due: now + periodMs });
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

  private async round(autoscaler: Named<Autoscaler>, target: Target): Promise<Round> {
    const { maxReplicas, minReplicas = 1 } = autoscaler.spec;
    const current = target.scale.spec.replicas ?? 0;
    if (current === 0 && minReplicas !== 0)
      return {
        conditions: [
          succeededGetScale,
          inactive("ScalingDisabled", "scaling is disabled since the replica count of the target is zero"),
        ],
        status: { currentReplicas: undefined, desiredReplicas: 0, currentMetrics: null },
      };
    if (current > maxReplicas)
      return this.rescale(target, maxReplicas, "Current number of replicas above Spec.MaxReplicas");
    if (current < minReplicas)
      return this.rescale(target, minReplicas, "Current number of replicas below Spec.MinReplicas");
    return withoutMetrics(autoscaler, target.scale);
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

  private async rescale({ kind, key, scale }: Target, size: number, why: string): Promise<Round> {
    const { client, context } = this.tools;
    const currentReplicas = scale.spec.replicas || undefined;
    const change = `New size: ${size}; reason: ${why}`;
    const refusal = await client
      .subResource("scale")
      .update(kind, { ...scale, metadata: { ...scale.metadata, ...key }, spec: { replicas: size } } as KubeObject)
      .then(() => undefined, reasonOf);
    if (refusal !== undefined)
      return {
        events: [["Warning", "FailedRescale", `${change}; error: ${refusal}`]],
        conditions: [
          able("False", "FailedUpdateScale", `the HPA controller was unable to update the target scale: ${refusal}`),
        ],
        status: { currentReplicas, currentMetrics: null },
      };
    return {
      events: [["Normal", "SuccessfulRescale", change]],
      conditions: [
        able("True", "SucceededRescale", `the HPA controller was able to update the target scale to ${size}`),
      ],
      status: {
        currentReplicas,
        desiredReplicas: size,
        currentMetrics: null,
        lastScaleTime: timestamp(context.clock.now()),
      },
      size,
    };
  }
}

/** Returns the round of an autoscaler within its limits: there are no metrics to decide by. */
function withoutMetrics({ spec }: Autoscaler, { spec: { replicas } }: Scale): Round {
  const { metrics = [] } = spec;
  const reason = `FailedGet${metrics[0]?.type ?? "Resource"}Metric`;
  const message = "the HPA was unable to compute the replica count: the cluster has no metrics API";
  return {
    events: [["Warning", reason, message]],
    conditions: [succeededGetScale, inactive(reason, message)],
    status: { currentReplicas: replicas || undefined, currentMetrics: metrics.map(() => ({ type: "" })) },
  };
}

/** Returns the parts of an autoscaler and its target on which a round depends, as text. */
function stateOf({ spec }: Autoscaler, target: number | string | undefined): string {
  return JSON.stringify([spec, target]);
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

const succeededGetScale = able(
  "True",
  "SucceededGetScale",
  "the HPA controller was able to get the target's current scale",
);

function failed(message: string): Round {
  const why = `the HPA controller was unable to get the target's current scale: ${message}`;
  return { events: [["Warning", "FailedGetScale", message]], conditions: [able("False", "FailedGetScale", why)] };
}

function reasonOf(error: unknown): string {
  const isUnserved = error instanceof TsopError && error.code === "TSOP_SUBRESOURCE_NOT_SERVED";
  return isUnserved ? "the server could not find the requested resource" : messageOf(error);
}
