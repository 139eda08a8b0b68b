import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import type * as apps from "../../../k8s/apps/v1.ts";
import type { Toleration } from "../../../k8s/core/v1.ts";
import { PodControl, retryMs, watchClaims } from "./controlled-pods.ts";
import { cutHistory, keepHistory } from "./controller-revisions.ts";
import { fitNode, type NodeFit } from "../pods/node-fit.ts";
import { nodeName } from "../pods/register-node.ts";
import { availableIn, isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import { byAge, enqueueAll, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import {
  DaemonSetKind,
  type DaemonSet,
  NodeKind,
  PodKind,
  type Pod,
  type PodSpec,
  type PodTemplate,
} from "../context/simulated-kinds.ts";

const revisionLabel = "controller-revision-hash";

/** Keeps one pod of each DaemonSet on the node. */
export function runDaemonSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:daemon-set-controller");
  const pods = new PodControl(context, client, { kind: DaemonSetKind, component: "daemonset-controller" });
  return runController(context, {
    sources: [
      ...watchClaims(context, DaemonSetKind, { owned: PodKind, selectorOf: ({ spec }) => spec.selector }),
      watch(context, NodeKind, enqueueAll(context, DaemonSetKind)),
    ],
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
  const node = await client.getOrUndefined(NodeKind, { name: nodeName });
  const moment = { hash, now, fit: node ? fitNode(daemonSpec(template), node) : nowhere };
  let refusal: string | undefined;
  if (!set.metadata.deletionTimestamp) {
    const { create, remove } = planDaemonSet(set, pods, moment);
    const generation = annotations?.["deprecated.daemonset.template.generation"] ?? "1";
    const labels = { [revisionLabel]: hash, "pod-template-generation": generation };
    if (create) refusal = await control.create(set, onNode(template), { generateName: `${key.name}-`, labels });
    for (const pod of remove) await control.delete(set, pod);
  }
  const { status, changesIn } = daemonSetStatus(set, pods, moment);
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
function planDaemonSet(set: DaemonSet, pods: readonly Pod[], { hash, fit }: Moment): DaemonSetPlan {
  if (!fit.stays) return { create: false, remove: pods.filter((pod) => !isLeaving(pod)) };
  const ended = pods.filter((pod) => isFinished(pod) && !isLeaving(pod));
  const running = pods.filter((pod) => !isFinished(pod));
  const { create, remove } = planRoll(set, running, hash);
  return { create: create && fit.starts && ended.length === 0, remove: [...ended, ...remove] };
}

/** Plans an update in which an old pod has gone before its successor is created. */
function planRoll({ spec }: DaemonSet, running: readonly Pod[], hash: string): DaemonSetPlan {
  const [pod, ...surplus] = running.toSorted(byAge);
  const isOld = pod !== undefined && pod.metadata.labels?.[revisionLabel] !== hash;
  const replaced = pod && isOld && spec.updateStrategy?.type !== "OnDelete" ? [pod] : [];
  return { create: !pod, remove: [...surplus, ...replaced].filter((pod) => !isLeaving(pod)) };
}

interface Moment {
  readonly hash: string;
  readonly now: number;
  readonly fit: NodeFit;
}

const nowhere: NodeFit = { starts: false, stays: false };

function daemonSetStatus(
  set: DaemonSet,
  pods: readonly Pod[],
  { hash, now, fit }: Moment,
): { status: apps.DaemonSetStatus; changesIn?: number } {
  const living = pods.filter((pod) => !isLeaving(pod));
  const wanted = fit.starts ? 1 : 0;
  // A node counts once, with its oldest pod.
  const scheduled = wanted ? living.toSorted(byAge).slice(0, 1) : [];
  const ready = scheduled.filter(isReady).length;
  const updated = scheduled.filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash).length;
  const waitOf = (pod: Pod) => availableIn(pod, set.spec.minReadySeconds, now);
  const available = scheduled.filter((pod) => waitOf(pod) === 0).length;
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

/** Returns the template of a daemon's pod, which names its node. */
function onNode(template: PodTemplate): PodTemplate {
  const spec = daemonSpec(template);
  const { affinity = {} } = spec;
  const matchFields = [{ key: "metadata.name", operator: "In" as const, values: [nodeName] }];
  const nodeAffinity = {
    ...affinity.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  return { ...template, spec: { ...spec, affinity: { ...affinity, nodeAffinity } } };
}

/** Returns the spec of daemons, which tolerate all conditions of a node; `tolerationSeconds` would limit that. */
function daemonSpec({ spec }: PodTemplate): PodSpec {
  const given = spec.tolerations ?? [];
  const own = [
    ...["not-ready", "unreachable"].map((taint) => tolerate(taint, "NoExecute")),
    ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((taint) =>
      tolerate(taint, "NoSchedule"),
    ),
    ...(spec.hostNetwork ? [tolerate("network-unavailable", "NoSchedule")] : []),
  ];
  const isSame = (a: Toleration, b: Toleration): boolean =>
    a.key === b.key && a.operator === b.operator && a.effect === b.effect && !a.value;
  const tolerations = [
    ...given.map((toleration) => own.find((each) => isSame(toleration, each)) ?? toleration),
    ...own.filter((each) => !given.some((toleration) => isSame(toleration, each))),
  ];
  return { ...spec, tolerations };
}

function tolerate(taint: string, effect: "NoExecute" | "NoSchedule"): Toleration {
  return { key: `node.kubernetes.io/${taint}`, operator: "Exists", effect };
}
