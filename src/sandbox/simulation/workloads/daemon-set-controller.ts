import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { KubeObject, LabelSelector, ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { PodControl, retryMs } from "./controlled-pods.ts";
import { currentRevision } from "./controller-revisions.ts";
import { nodeLabels, nodeName } from "../pods/register-node.ts";
import { isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import { enqueueForOwner } from "../../../runtime/controller/handlers.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, type Pod, type PodTemplate } from "../context/simulated-kinds.ts";

export interface DaemonSet extends KubeObject {
  spec: { selector: LabelSelector; template: PodTemplate; updateStrategy?: { type?: "RollingUpdate" | "OnDelete" } };
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
    sources: [watch(context, DaemonSetKind), watch(context, PodKind, enqueueForOwner(DaemonSetKind))],
    step: (key) => stepDaemonSet(client, pods, key),
  });
}

async function stepDaemonSet(client: Client, control: PodControl<DaemonSet>, key: ObjectKey): Promise<number | void> {
  const set = await client.getOrUndefined(DaemonSetKind, key);
  if (!set) return;
  const { template } = set.spec;
  const { annotations } = set.metadata;
  const history = { kind: DaemonSetKind, owner: set, template, hashLabel: revisionLabel };
  const revision = await currentRevision(client, history);
  const hash = revision.slice(`${key.name}-`.length);
  const pods = await control.owned(set);
  let refusal: string | undefined;
  if (!set.metadata.deletionTimestamp) {
    const { create, remove } = planDaemonSet(set, pods, hash);
    const generation = annotations?.["deprecated.daemonset.template.generation"] ?? "1";
    const labels = { [revisionLabel]: hash, "pod-template-generation": generation };
    if (create) refusal = await control.create(set, onNode(template), { generateName: `${key.name}-`, labels });
    for (const pod of remove) await control.delete(set, pod);
  }
  const status = daemonSetStatus(set, pods, hash);
  if (!equalJson(status, set.status)) await client.status.update(DaemonSetKind, { ...set, status });
  return refusal === undefined ? undefined : retryMs;
}

/** Plans one pod of the current revision. An old pod is deleted before its successor is created. */
function planDaemonSet(
  { spec }: DaemonSet,
  pods: readonly Pod[],
  hash: string,
): { create: boolean; remove: readonly Pod[] } {
  if (!fitsNode(spec.template)) return { create: false, remove: pods.filter((pod) => !isLeaving(pod)) };
  const ended = pods.filter(isFinished);
  const [pod, ...surplus] = pods.filter((pod) => !isFinished(pod));
  const isOld = pod !== undefined && pod.metadata.labels?.[revisionLabel] !== hash;
  const replaced = pod && isOld && spec.updateStrategy?.type !== "OnDelete" ? [pod] : [];
  const remove = [...ended, ...surplus, ...replaced].filter((pod) => !isLeaving(pod));
  return { create: pods.length === 0, remove };
}

function daemonSetStatus(set: DaemonSet, pods: readonly Pod[], hash: string): Record<string, number> {
  const living = pods.filter((pod) => !isLeaving(pod));
  const wanted = fitsNode(set.spec.template) ? 1 : 0;
  const scheduled = wanted ? living : [];
  const ready = scheduled.filter(isReady).length;
  const updated = scheduled.filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash).length;
  return {
    currentNumberScheduled: Math.min(1, scheduled.length),
    desiredNumberScheduled: wanted,
    numberMisscheduled: wanted ? 0 : Math.min(1, living.length),
    numberReady: ready,
    observedGeneration: set.metadata.generation ?? 0,
    ...(updated && { updatedNumberScheduled: updated }),
    ...(ready && { numberAvailable: ready }),
    ...(wanted > ready && { numberUnavailable: wanted - ready }),
  };
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
