import { compareText } from "../../../apimachinery/compare-text.ts";
import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { scaledIntOrPercent } from "../../../apimachinery/int-or-percent.ts";
import type { IntOrString, KubeObject, LabelSelector, ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { PodControl, retryMs, watchClaims } from "./controlled-pods.ts";
import { cutHistory, keepHistory } from "./controller-revisions.ts";
import { nodeLabels, nodeName } from "../pods/register-node.ts";
import { availableIn, isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, type Pod, type PodTemplate } from "../context/simulated-kinds.ts";

export interface DaemonSet extends KubeObject {
  spec: {
    selector: LabelSelector;
    template: PodTemplate;
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    updateStrategy?: { type?: "RollingUpdate" | "OnDelete"; rollingUpdate?: { maxSurge?: IntOrString } };
  };
  status?: Record<string, number>;
}

export const DaemonSetKind: Kind<DaemonSet> = defineKind({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  plural: "daemonsets",
  subresources: ["status"],
});

const revisionLabel = "controller-revision-hash";

/** Keeps one pod of each DaemonSet on the node. */
export function runDaemonSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:daemon-set-controller");
  const pods = new PodControl(context, client, { kind: DaemonSetKind, component: "daemonset-controller" });
  return runController(context, {
    sources: watchClaims(context, DaemonSetKind, { owned: PodKind, selectorOf: ({ spec }) => spec.selector }),
    step: (key) => stepDaemonSet({ client, control: pods, now: context.clock.now() }, key),
  });
}

interface Tools {
  readonly client: Client;
  readonly control: PodControl<DaemonSet>;
  readonly now: number;
}

async function stepDaemonSet({ client, control, now }: Tools, key: ObjectKey): Promise<number | void> {
  const set = await client.getOrUndefined(DaemonSetKind, key);
  if (!set) return;
  const { template } = set.spec;
  const { annotations } = set.metadata;
  const revised = { kind: DaemonSetKind, owner: set, template, hashLabel: revisionLabel };
  const history = await keepHistory(client, revised);
  const hash = history.current.slice(`${key.name}-`.length);
  const pods = await control.claim(set, set.spec.selector);
  let refusal: string | undefined;
  if (!set.metadata.deletionTimestamp) {
    const { create, remove } = planDaemonSet(set, pods, { hash, now });
    const generation = annotations?.["deprecated.daemonset.template.generation"] ?? "1";
    const labels = { [revisionLabel]: hash, "pod-template-generation": generation };
    if (create) refusal = await control.create(set, onNode(template), { generateName: `${key.name}-`, labels });
    for (const pod of remove) await control.delete(set, pod);
  }
  const { status, changesIn } = daemonSetStatus(set, pods, { hash, now });
  if (!equalJson(status, set.status)) await client.status.update(DaemonSetKind, { ...set, status });
  const live = pods.map(({ metadata }) => `${key.name}-${metadata.labels?.[revisionLabel]}`);
  await cutHistory(client, history, { live, limit: set.spec.revisionHistoryLimit });
  return refusal === undefined ? changesIn : retryMs;
}

interface DaemonSetPlan {
  readonly create: boolean;
  readonly remove: readonly Pod[];
}

/** Plans one pod of the current revision. */
function planDaemonSet(set: DaemonSet, pods: readonly Pod[], { hash, now }: Moment): DaemonSetPlan {
  if (!fitsNode(set.spec.template)) return { create: false, remove: pods.filter((pod) => !isLeaving(pod)) };
  const ended = pods.filter((pod) => isFinished(pod) && !isLeaving(pod));
  const running = pods.filter((pod) => !isFinished(pod));
  const { create, remove } = surges(set) ? planSurge(set, running, { hash, now }) : planRoll(set, running, hash);
  return { create: create && ended.length === 0, remove: [...ended, ...remove] };
}

/** Plans an update in which an old pod has gone before its successor is created. */
function planRoll({ spec }: DaemonSet, running: readonly Pod[], hash: string): DaemonSetPlan {
  const [pod, ...surplus] = running.toSorted(byCreation);
  const isOld = pod !== undefined && pod.metadata.labels?.[revisionLabel] !== hash;
  const replaced = pod && isOld && spec.updateStrategy?.type !== "OnDelete" ? [pod] : [];
  return { create: !pod, remove: [...surplus, ...replaced].filter((pod) => !isLeaving(pod)) };
}

/** Plans an update in which the successor of an old pod is available before that goes. */
function planSurge({ spec }: DaemonSet, running: readonly Pod[], { hash, now }: Moment): DaemonSetPlan {
  const living = running.filter((pod) => !isLeaving(pod));
  const isNew = ({ metadata }: Pod) => metadata.labels?.[revisionLabel] === hash;
  const [next, ...surplus] = living.filter(isNew);
  const [old, ...older] = living.filter((pod) => !isNew(pod));
  const isReplaced = next !== undefined && availableIn(next, spec.minReadySeconds, now) === 0;
  return { create: !next, remove: [...surplus, ...older, ...(old && isReplaced ? [old] : [])] };
}

function surges({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  return type === "RollingUpdate" && scaledIntOrPercent(rollingUpdate?.maxSurge ?? 0, 1, "up") > 0;
}

interface Moment {
  readonly hash: string;
  readonly now: number;
}

function daemonSetStatus(
  set: DaemonSet,
  pods: readonly Pod[],
  { hash, now }: Moment,
): { status: Record<string, number>; changesIn?: number } {
  const living = pods.filter((pod) => !isLeaving(pod));
  const wanted = fitsNode(set.spec.template) ? 1 : 0;
  // A node counts once, with its oldest pod.
  const scheduled = wanted ? living.toSorted(byCreation).slice(0, 1) : [];
  const ready = scheduled.filter(isReady).length;
  const updated = scheduled.filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash).length;
  const waitOf = (pod: Pod) => availableIn(pod, set.spec.minReadySeconds, now);
  const available = scheduled.filter((pod) => waitOf(pod) === 0).length;
  // A pod that surges is awaited, too.
  const left = living.map(waitOf).filter((ms) => ms > 0 && Number.isFinite(ms));
  const status = {
    currentNumberScheduled: scheduled.length,
    desiredNumberScheduled: wanted,
    numberMisscheduled: wanted ? 0 : Math.min(1, living.length),
    numberReady: ready,
    observedGeneration: set.metadata.generation ?? 0,
    ...(updated && { updatedNumberScheduled: updated }),
    ...(available && { numberAvailable: available }),
    ...(wanted > available && { numberUnavailable: wanted - available }),
  };
  return left.length > 0 ? { status, changesIn: Math.min(...left) } : { status };
}

function byCreation({ metadata: a }: Pod, { metadata: b }: Pod): number {
  return compareText(a.creationTimestamp ?? "", b.creationTimestamp ?? "");
}

/** Reports whether the template's pods may run on the node. */
function fitsNode({ spec }: PodTemplate): boolean {
  const wanted = (spec["nodeSelector"] ?? {}) as Record<string, string>;
  const isHere = spec.nodeName === undefined || spec.nodeName === "" || spec.nodeName === nodeName;
  return isHere && Object.entries(wanted).every(([name, value]) => nodeLabels[name] === value);
}

/** Returns the template of a daemon's pod, which names its node and tolerates all conditions of the node. */
function onNode(template: PodTemplate): PodTemplate {
  const { affinity = {}, tolerations = [], hostNetwork } = template.spec as DaemonPodSpec;
  const matchFields = [{ key: "metadata.name", operator: "In", values: [nodeName] }];
  const nodeAffinity = {
    ...affinity.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  const own = [
    ...["not-ready", "unreachable"].map((taint) => tolerate(taint, "NoExecute")),
    ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((taint) =>
      tolerate(taint, "NoSchedule"),
    ),
    ...(hostNetwork ? [tolerate("network-unavailable", "NoSchedule")] : []),
  ];
  const spec = { ...template.spec, affinity: { ...affinity, nodeAffinity }, tolerations: [...tolerations, ...own] };
  return { ...template, spec };
}

interface DaemonPodSpec {
  readonly affinity?: { readonly nodeAffinity?: object };
  readonly tolerations?: readonly object[];
  readonly hostNetwork?: boolean;
}

function tolerate(taint: string, effect: string): object {
  return { key: `node.kubernetes.io/${taint}`, operator: "Exists", effect };
}
