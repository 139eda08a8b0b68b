import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { PodControl, retryMs, watchClaims, claimObjects } from "../workloads/controlled-pods.ts";
import { type BackOff, deadlineIn, planJob, timeToLive, wantedPods, type JobPlan } from "./job-plan.ts";
import { isOver, completionIndex, trackingFinalizer, isTracked } from "./job-verdict.ts";
import {
  JobKind,
  type Job,
  type JobStatus,
  PodKind,
  type Container,
  type Pod,
  type WorkloadCondition,
} from "../context/simulated-kinds.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";

/** Runs the pods of jobs to completion. */
export function runJobs(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:job-controller");
  const pods = new PodControl(context, client, { kind: JobKind, component: "job-controller" });
  const tools = { context, client, pods, backOffs: new Map() };
  return runController(context, {
    sources: watchClaims(context, JobKind, { owned: PodKind, selectorOf: ({ spec }) => spec.selector }),
    step: (key) => stepJob(tools, key),
  });
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly pods: PodControl<Job>;
  /** The failures of jobs, by namespace and name. */
  readonly backOffs: Map<string, BackOff>;
}

async function stepJob({ context, client, pods, backOffs }: Tools, key: ObjectKey): Promise<number | void> {
  const job = await client.getOrUndefined(JobKind, key);
  const id = `${key.namespace}/${key.name}`;
  if (!job || isOver(job)) backOffs.delete(id);
  if (!job || job.metadata.deletionTimestamp) return releasePods(client, key, job);
  const left = timeToLive(job, context.clock.now());
  if (left === 0) return client.delete(JobKind, key, { propagationPolicy: "Foreground" });
  if (isManagedElsewhere(job)) return left;
  if (!isOver(job)) pods.reportLimit(job, wantedPods(job, 0, 0));
  const plan = planJob(job, await claimPods(client, job), timestamp(context.clock.now()), backOffs.get(id));
  const { remove, drop, release, retryIn } = plan;
  const refused = await createPods(pods, job, plan);
  for (const pod of drop) await releasePod(client, pod);
  for (const pod of [...drop, ...remove]) await pods.delete(job, pod);
  const status = withoutRefused(plan.status, refused);
  const next = { ...job, status };
  if (!equalJson(status, job.status)) {
    await client.status.update(JobKind, next);
    recordChanges(pods, job, next);
  }
  if (!isOver(next)) backOffs.set(id, plan.backOff);
  for (const pod of release) await releasePod(client, pod);
  const deadline = deadlineIn(next, context.clock.now());
  if (refused > 0) return Math.min(retryMs, deadline ?? retryMs);
  if (retryIn !== undefined) return Math.min(retryIn, deadline ?? retryIn);
  return left ?? timeToLive(next, context.clock.now()) ?? deadline;
}

function isManagedElsewhere({ spec: { managedBy = ownName } }: Job): boolean {
  return managedBy !== ownName;
}

const ownName = "kubernetes.io/job-controller";

/** Releases the pods of a deleted job, which need not be counted any more. */
async function releasePods(client: Client, key: ObjectKey, job: Job | undefined): Promise<void> {
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const isOwned = ({ metadata }: Pod) =>
    metadata.ownerReferences?.some(
      ({ controller, kind, name, uid }) =>
        controller && kind === JobKind.kind && name === key.name && (!job || uid === job.metadata.uid),
    );
  for (const pod of items) if (isOwned(pod)) await releasePod(client, pod);
}

/** Creates pods until the server refuses one. Returns the number of those that were not created. */
async function createPods(pods: PodControl<Job>, job: Job, { create }: JobPlan): Promise<number> {
  for (const [created, index] of create.entries())
    if ((await createPod(pods, job, index)) !== undefined) return create.length - created;
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
  const tell = (container: Container): Container => {
    const { env = [] } = container;
    return env.some((each) => "name" in each && each.name === variable.name)
      ? container
      : { ...container, env: [...env, variable] };
  };
  const { containers, initContainers } = spec.template.spec;
  const told = {
    containers: containers.map(tell),
    ...(initContainers && { initContainers: initContainers.map(tell) }),
  };
  return { ...spec.template, spec: { ...spec.template.spec, ...told, hostname: `${metadata.name}-${index}` } };
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

/** Returns the pods of a job, which it tracks from the time when it claims them. */
async function claimPods(client: Client, job: Job): Promise<Pod[]> {
  const { items } = await client.list(PodKind, { namespace: job.metadata.namespace });
  const track = (pod: Pod): Pod => withFinalizers(pod, [...(pod.metadata.finalizers ?? []), trackingFinalizer]);
  return claimObjects(
    client,
    { kind: JobKind, owner: job, selector: job.spec.selector ?? {} },
    { kind: PodKind, items, adopted: track, released: untracked },
  );
}

/** Lets a pod go when it is counted, or need not be. */
async function releasePod(client: Client, pod: Pod): Promise<void> {
  if (isTracked(pod)) await client.update(PodKind, untracked(pod)).catch(ignoreNotFound);
}

function untracked(pod: Pod): Pod {
  return withFinalizers(pod, pod.metadata.finalizers?.filter((name) => name !== trackingFinalizer) ?? []);
}

function withFinalizers(pod: Pod, finalizers: string[]): Pod {
  return { ...pod, metadata: { ...pod.metadata, finalizers } };
}
