import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { KubeObject, LabelSelector, ObjectKey } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { PodControl } from "./controlled-pods.ts";
import { currentRevision } from "./controller-revisions.ts";
import { isFinished, isReady } from "./replica-set-plan.ts";
import { controllerKeys, reactionDelay, runKindController, type SimulationContext } from "./simulation-context.ts";
import { PodKind, type Pod, type PodTemplate } from "./simulated-kinds.ts";

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

/** Keeps one pod of each DaemonSet on the one node. */
export function runDaemonSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:daemon-set-controller");
  const pods = new PodControl(context, client, { kind: DaemonSetKind, component: "daemonset-controller" });
  return runKindController(context, client, {
    kind: DaemonSetKind,
    delay: () => reactionDelay(context),
    step: (key) => stepDaemonSet(key, client, pods),
    triggers: [{ kind: PodKind, keysOf: controllerKeys(DaemonSetKind) }],
  });
}

async function stepDaemonSet(key: ObjectKey, client: Client, control: PodControl<DaemonSet>): Promise<void> {
  const set = await client.getOrUndefined(DaemonSetKind, key);
  if (!set) return;
  const { template } = set.spec;
  const revision = await currentRevision(client, { kind: DaemonSetKind, owner: set, template });
  const hash = revision.slice(`${key.name}-`.length);
  const pods = await control.owned(set);
  if (!set.metadata.deletionTimestamp) {
    const { create, remove } = planDaemonSet(set, pods, hash);
    const labels = { [revisionLabel]: hash, "pod-template-generation": String(set.metadata.generation ?? 1) };
    if (create) await control.create(set, template, { generateName: `${key.name}-`, labels });
    for (const pod of remove) await control.delete(set, pod);
  }
  const status = daemonSetStatus(set, pods, hash);
  if (!equalJson(status, set.status)) await client.status.update(DaemonSetKind, { ...set, status });
}

/** One pod of the current revision; an old one goes first, and its successor waits until it has gone. */
export function planDaemonSet(
  { spec }: DaemonSet,
  pods: readonly Pod[],
  hash: string,
): { create: boolean; remove: readonly Pod[] } {
  const ended = pods.filter(isFinished);
  const [pod, ...surplus] = pods.filter((pod) => !isFinished(pod));
  const isOld = pod !== undefined && pod.metadata.labels?.[revisionLabel] !== hash;
  const replaced = pod && isOld && spec.updateStrategy?.type !== "OnDelete" ? [pod] : [];
  const remove = [...ended, ...surplus, ...replaced].filter(({ metadata }) => !metadata.deletionTimestamp);
  return { create: pods.length === 0, remove };
}

function daemonSetStatus(set: DaemonSet, pods: readonly Pod[], hash: string): Record<string, number> {
  const living = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const ready = living.filter(isReady).length;
  const updated = living.filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash).length;
  return {
    currentNumberScheduled: Math.min(1, living.length),
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: ready,
    observedGeneration: set.metadata.generation ?? 0,
    ...(updated && { updatedNumberScheduled: updated }),
    ...(ready ? { numberAvailable: ready } : { numberUnavailable: 1 }),
  };
}
