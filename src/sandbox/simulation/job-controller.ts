import { equalJson } from "../../apimachinery/equal.ts";
import type { ObjectKey } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { PodControl } from "./controlled-pods.ts";
import { completionIndex, isOver, JobKind, planJob, timeToLive, type Job } from "./job-plan.ts";
import { controllerKeys, reactionDelay, runKindController, type SimulationContext } from "./simulation-context.ts";
import { timestamp } from "./timestamp.ts";
import { PodKind } from "./simulated-kinds.ts";

/** Runs the pods of jobs to their end. */
export function runJobs(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:job-controller");
  const pods = new PodControl(context, client, { kind: JobKind, component: "job-controller" });
  return runKindController(context, client, {
    kind: JobKind,
    delay: () => reactionDelay(context),
    step: (key) => stepJob(key, { context, client, pods }),
    triggers: [{ kind: PodKind, keysOf: controllerKeys(JobKind) }],
  });
}

interface Tools {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly pods: PodControl<Job>;
}

async function stepJob(key: ObjectKey, { context, client, pods }: Tools): Promise<number | void> {
  const job = await client.getOrUndefined(JobKind, key);
  if (!job || job.metadata.deletionTimestamp) return;
  const left = timeToLive(job, context.clock.now());
  if (left === 0) return client.delete(JobKind, key, { propagationPolicy: "Foreground" });
  const { create, remove, status } = planJob(job, await pods.owned(job), timestamp(context));
  for (const index of create) await createPod(pods, job, index);
  for (const pod of remove) await pods.delete(job, pod);
  if (!equalJson(status, job.status)) {
    const updated = await client.status.update(JobKind, { ...job, status });
    if (isOver(updated) && !isOver(job)) await tellEnd(pods, updated);
  }
  const deadline = job.spec.activeDeadlineSeconds;
  return left ?? (deadline !== undefined && !isOver(job) ? deadline * 1000 : undefined);
}

function createPod(pods: PodControl<Job>, job: Job, index: number | undefined): Promise<void> {
  const name = job.metadata.name ?? "";
  const identity = index === undefined ? {} : { [completionIndex]: String(index) };
  const generateName = index === undefined ? `${name}-` : `${name}-${index}-`;
  return pods.create(job, withIndex(job, index), { generateName, labels: identity, annotations: identity });
}

/** The pods of an indexed job learn their index by environment and host name. */
function withIndex({ metadata, spec }: Job, index: number | undefined): Job["spec"]["template"] {
  if (index === undefined) return spec.template;
  const variable = { name: "JOB_COMPLETION_INDEX", value: String(index) };
  const containers = spec.template.spec.containers.map((container) => ({
    ...container,
    env: [...(container.env ?? []), variable],
  }));
  return { ...spec.template, spec: { ...spec.template.spec, containers, hostname: `${metadata.name}-${index}` } };
}

function tellEnd(pods: PodControl<Job>, job: Job): Promise<void> {
  const failure = job.status?.conditions?.find(({ type }) => type === "Failed");
  return failure
    ? pods.tell(job, failure.reason ?? "Failed", failure.message ?? "")
    : pods.tell(job, "Completed", "Job completed");
}
