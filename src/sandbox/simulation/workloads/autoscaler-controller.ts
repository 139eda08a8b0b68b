import { equalJson } from "../../../apimachinery/equal.ts";
import { defineKind, parseApiVersion, type Kind } from "../../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, Named, ObjectKey } from "../../../apimachinery/meta.ts";
import { parseLabelSelector, type LabelMatcher } from "../../../apimachinery/selectors.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Client } from "../../../client/client.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { CoreEventRecorder } from "../../../runtime/event-recorder/core-event-recorder.ts";
import { enqueueBeside, runController, watch } from "../context/run-controller.ts";
import { DeploymentKind, PodKind, ReplicaSetKind, type WorkloadCondition } from "../context/simulated-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { setWorkloadCondition, withoutUpdateTime } from "../context/workload-conditions.ts";
import type { ServedKinds } from "../housekeeping/served-kinds.ts";
import { missingMetric, type Metric } from "./missing-metrics.ts";
import { StatefulSetKind } from "./stateful-set-plan.ts";

interface Autoscaler extends KubeObject {
  spec: {
    scaleTargetRef: { apiVersion?: string; kind: string; name: string };
    minReplicas?: number;
    maxReplicas: number;
    metrics?: Metric[];
  };
  status?: AutoscalerStatus;
}

interface AutoscalerStatus {
  lastScaleTime?: string;
  currentReplicas?: number | undefined;
  desiredReplicas: number;
  currentMetrics?: object[] | null;
  conditions?: WorkloadCondition[];
}

interface Scale extends KubeObject {
  spec: { replicas?: number };
  status?: { selector?: string };
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
  readonly namespace: string | undefined;
  selector?: LabelMatcher;
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
    const known = this.known.get(id) ?? { namespace, due: 0 };
    this.known.set(id, known);
    const now = context.clock.now();
    const target = await this.findTarget(autoscaler).catch(reasonOf);
    const current = typeof target === "string" ? target : target.scale.spec.replicas;
    if (now < known.due && known.seen === stateOf(autoscaler, current)) return known.due - now;
    const round = typeof target === "string" ? failed(target) : await this.round(autoscaler, target, known);
    for (const event of round.events ?? []) events.event(autoscaler, ...event);
    await this.writeStatus(autoscaler, round);
    Object.assign(known, { seen: stateOf(autoscaler, round.size ?? current), due: now + periodMs });
    return periodMs;
  }

  private async writeStatus(autoscaler: Named<Autoscaler>, { conditions, status }: Round): Promise<void> {
    const { client, context } = this.tools;
    const now = timestamp(context.clock.now());
    const before = autoscaler.status ?? { desiredReplicas: 0 };
    const next = conditions
      .reduce((all, one) => setWorkloadCondition(all, one, now), before.conditions ?? [])
      .map(withoutUpdateTime);
    const wanted = { ...before, ...status, conditions: next };
    if (!equalJson(wanted, before)) await client.status.update(AutoscalerKind, { ...autoscaler, status: wanted });
  }

  private async round(autoscaler: Named<Autoscaler>, target: Target, known: Known): Promise<Round> {
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
    return this.measure(autoscaler, target.scale, known);
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

  /** Looks for the metrics, which do not exist here. */
  private async measure({ metadata, spec }: Named<Autoscaler>, scale: Scale, known: Known): Promise<Round> {
    const { namespace = "" } = metadata;
    const status = { currentReplicas: scale.spec.replicas || undefined };
    const problem = await this.selectorProblem(scale, known);
    if (problem) {
      const { reason, message, condition } = problem;
      return {
        events: [
          ["Warning", reason, message],
          ["Warning", "FailedComputeMetricsReplicas", message],
        ],
        conditions: [succeededGetScale, condition],
        status: { ...status, currentMetrics: null },
      };
    }
    const missing = (spec.metrics ?? []).map((metric) => missingMetric(metric, namespace));
    const [first = { reason: "", message: "", failure: "" }] = missing;
    const count = missing.length;
    const failure = `invalid metrics (${count} invalid out of ${count}), first error is: ${first.failure}`;
    return {
      events: [
        ...missing.map(({ reason, message }) => ["Warning", reason, message] as const),
        ["Warning", "FailedComputeMetricsReplicas", failure],
      ],
      conditions: [
        succeededGetScale,
        inactive(first.reason, `the HPA was unable to compute the replica count: ${first.message}`),
      ],
      status: { ...status, currentMetrics: missing.map(() => ({ type: "" })) },
    };
  }

  /** Checks that the target's selector selects pods of this autoscaler alone. */
  private async selectorProblem(scale: Scale, known: Known): Promise<SelectorProblem | undefined> {
    const { client } = this.tools;
    const { selector } = scale.status ?? {};
    if (!selector)
      return {
        reason: "SelectorRequired",
        message: "selector is required",
        condition: inactive("InvalidSelector", "the HPA target's scale is missing a selector"),
      };
    const own = (known.selector = parseLabelSelector(selector));
    const { items } = await client.list(PodKind, { namespace: known.namespace });
    const pods = items.filter(({ metadata }) => own.matches(metadata.labels ?? {}));
    const rivals = [...this.known].filter(
      ([, other]) =>
        other.namespace === known.namespace &&
        pods.some(({ metadata }) => other.selector?.matches(metadata.labels ?? {})),
    );
    if (rivals.length < 2) return undefined;
    const names = rivals.map(([id]) => id).join(" ");
    const message = `pods by selector ${selector} are controlled by multiple HPAs: [${names}]`;
    return { reason: "AmbiguousSelector", message, condition: inactive("AmbiguousSelector", message) };
  }
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

interface SelectorProblem {
  readonly reason: string;
  readonly message: string;
  readonly condition: WorkloadCondition;
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
