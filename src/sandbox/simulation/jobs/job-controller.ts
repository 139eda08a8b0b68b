import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { PodControl, retryMs } from "../workloads/controlled-pods.ts";
import { JobKind, type Job, type JobStatus } from "./job-kind.ts";
import { completionIndex, deadlineIn, planJob, timeToLive } from "./job-plan.ts";
import { isTracked, trackingFinalizer } from "./job-tracking.ts";
import { enqueueForOwner } from "../../../runtime/controller/handlers.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { PodKind, type Pod, type WorkloadCondition } from "../context/simulated-kinds.ts";

/** Runs the pods of jobs to completion. */
export function runJobs(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:job-controller");
  const pods = new PodControl(context, client, { kind: JobKind, component: "job-controller" });
  return runController(context, {
    sources: [watch(context, JobKind), watch(context, PodKind, enqueueForOwner(JobKind))],
    step: (key) => stepJob({ context, client, pods }, key),
  });
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly pods: PodControl<Job>;
}

async function stepJob({ context, client, pods }: Tools, key: ObjectKey): Promise<number | void> {
  const job = await client.getOrUndefined(JobKind, key);
  if (!job || job.metadata.deletionTimestamp) return releasePods(client, key, job);
  const left = timeToLive(job, context.clock.now());
  if (left === 0) return client.delete(JobKind, key, { propagationPolicy: "Foreground" });
  const plan = planJob(job, await pods.owned(job), timestamp(context.clock.now()));
  const { create, remove, release, retryIn } = plan;
  const refused = await createPods(pods, job, create);
  for (const pod of remove) await pods.delete(job, pod);
  const status = withoutRefused(plan.status, refused);
  const next = { ...job, status };
  if (!equalJson(status, job.status)) {
    await client.status.update(JobKind, next);
    recordChanges(pods, job, next);
  }
  for (const pod of release) await removeFinalizer(client, pod);
  const deadline = deadlineIn(next, context.clock.now());
  if (refused > 0) return Math.min(retryMs, deadline ?? retryMs);
  if (retryIn !== undefined) return Math.min(retryIn, deadline ?? retryIn);
  return left ?? timeToLive(next, context.clock.now()) ?? deadline;
}

/** Releases the pods of a deleted job, which need not be counted any more. */
async function releasePods(client: Client, key: ObjectKey, job: Job | undefined): Promise<void> {
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const isOwned = ({ metadata }: Pod) =>
    metadata.ownerReferences?.some(
      ({ controller, kind, name, uid }) =>
        controller && kind === JobKind.kind && name === key.name && (!job || uid === job.metadata.uid),
    );
  for (const pod of items) if (isTracked(pod) && isOwned(pod)) await removeFinalizer(client, pod);
}

async function removeFinalizer(client: Client, pod: Pod): Promise<void> {
  const finalizers = pod.metadata.finalizers?.filter((name) => name !== trackingFinalizer) ?? [];
  await client.update(PodKind, { ...pod, metadata: { ...pod.metadata, finalizers } }).catch(ignoreNotFound);
}

/** Creates pods until the server refuses one. Returns the number of those that were not created. */
async function createPods(pods: PodControl<Job>, job: Job, indexes: readonly (number | undefined)[]): Promise<number> {
  for (const [created, index] of indexes.entries())
    if ((await createPod(pods, job, index)) !== undefined) return indexes.length - created;
  return 0;
}

function withoutRefused({ active: planned = 0, ...status }: JobStatus, refused: number): JobStatus {
  const active = planned - refused;
  return active > 0 ? { active, ...status } : status;
}

function createPod(pods: PodControl<Job>, job: Job, index: number | undefined): Promise<string | undefined> {
  const name = job.metadata.name ?? "";
  const generateName = index === undefined ? `${name}-` : `${name}-${index}-`;
  const identity = { [completionIndex]: String(index) };
  return pods.create(job, withIndex(job, index), {
    generateName,
    finalizers: [trackingFinalizer],
    ...(index !== undefined && { labels: identity, annotations: identity }),
  });
}

/** Returns the pod template of an index, which pods of an indexed job see in their environment and host name. */
function withIndex({ metadata, spec }: Job, index: number | undefined): Job["spec"]["template"] {
  if (index === undefined) return spec.template;
  const fieldPath = `metadata.labels['${completionIndex}']`;
  const variable = { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef: { fieldPath } } };
  const containers = spec.template.spec.containers.map((container) => ({
    ...container,
    env: [...(container.env ?? []), variable],
  }));
  return { ...spec.template, spec: { ...spec.template.spec, containers, hostname: `${metadata.name}-${index}` } };
}

function recordChanges(pods: PodControl<Job>, before: Job, { status }: Job): void {
  for (const condition of status?.conditions ?? []) {
    const old = before.status?.conditions?.find(({ type }) => type === condition.type);
    const text = old?.status === condition.status ? undefined : textOf(condition);
    if (text) pods.record(before, ...text);
  }
}

function textOf({ type, status, reason, message = "" }: WorkloadCondition): EventWords | undefined {
  if (type === "Suspended") return [status === "True" ? "Suspended" : "Resumed", message];
  if (type === "Failed") return [reason ?? type, message, "Warning"];
  return type === "Complete" ? ["Completed", "Job completed"] : undefined;
}

type EventWords = [reason: string, message: string, type?: "Normal" | "Warning"];
