import { CronError, parseCron, type CronSchedule } from "../../../apimachinery/cron-schedule.ts";
import { isConditionTrue } from "../../../apimachinery/conditions.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../../apimachinery/status.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Client } from "../../../client/client.ts";
import { controllerReference, controllerUid } from "../workloads/controlled-pods.ts";
import { CronJobKind, type CronJob, JobKind, type Job } from "../context/simulated-kinds.ts";
import { isOver } from "./job-verdict.ts";
import type { ObjectReference } from "../../../apimachinery/object-reference.ts";
import { objectReference } from "../../../apimachinery/object-reference.ts";
import { enqueueForOwner } from "../../../runtime/controller/handlers.ts";
import { byAge, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";

/** Creates the jobs of CronJobs when they are due, and deletes old ones. */
export function runCronJobs(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:cronjob-controller");
  return runController(context, {
    sources: [watch(context, CronJobKind), watch(context, JobKind, enqueueForOwner(CronJobKind))],
    step: (key) => stepCronJob(context, client, key),
  });
}

async function stepCronJob(context: SimulationContext, client: Client, key: ObjectKey): Promise<number | void> {
  const cronJob = await client.getOrUndefined(CronJobKind, key);
  if (!cronJob || cronJob.metadata.deletionTimestamp) return;
  const all = (await client.list(JobKind, { namespace: key.namespace })).items;
  const jobs = all.filter((job) => controllerUid(job) === cronJob.metadata.uid);
  const recorder = context.recorder(client, "cronjob-controller");
  const record: RecordEvent = (...event) => recorder.event(cronJob, ...event);
  recordEnded(cronJob, jobs, record);
  recordUnexpected(cronJob, jobs, record);
  for (const job of findOutdated(cronJob, jobs)) await deleteJob(client, job, record);
  const schedule = scheduleOf(cronJob);
  if (!schedule) return record("Warning", "UnparseableSchedule", `unparseable schedule: ${cronJob.spec.schedule}`);
  const now = context.clock.now();
  const due = cronJob.spec.suspend ? undefined : findLastDue(cronJob, schedule, now);
  const started = due === undefined ? undefined : await startJob(client, { cronJob, jobs, due, record });
  const status = statusOf(cronJob, jobs, started);
  if (!equalJson(status, cronJob.status ?? {})) await client.status.update(CronJobKind, { ...cronJob, status });
  const next = schedule.next(now);
  return next === undefined || cronJob.spec.suspend ? undefined : next - now;
}

/** Parses a schedule. An invalid one can only come from objects of an earlier version. */
function scheduleOf({ spec }: CronJob): CronSchedule | undefined {
  try {
    return parseCron(spec.schedule, spec.timeZone);
  } catch (error) {
    if (error instanceof CronError) return undefined;
    throw error;
  }
}

type RecordEvent = (type: "Normal" | "Warning", reason: string, message: string) => void;

/** Records one event for each job that was active and is not any more. */
function recordEnded({ status }: CronJob, jobs: readonly Job[], record: RecordEvent): void {
  for (const { name, uid } of status?.active ?? []) {
    const job = jobs.find(({ metadata }) => metadata.uid === uid);
    if (!job) record("Normal", "MissingJob", `Active job went missing: ${name}`);
    else if (isOver(job)) {
      const failed = isConditionTrue(job.status?.conditions, "Failed");
      record("Normal", "SawCompletedJob", `Saw completed job: ${name}, condition: ${failed ? "Failed" : "Complete"}`);
    }
  }
}

/** Records an event for each job of the CronJob that somebody else has made, such as `kubectl create job --from`. */
function recordUnexpected(cronJob: CronJob, jobs: readonly Job[], record: RecordEvent): void {
  for (const job of jobs)
    if (!isOver(job) && !activeReference(cronJob, job))
      record(
        "Warning",
        "UnexpectedJob",
        `Saw a job that the controller did not create or forgot: ${job.metadata.name}`,
      );
}

/** Returns the reference by which the status notes a job as one that the controller has started and that runs. */
function activeReference({ status }: CronJob, { metadata }: Job): ObjectReference | undefined {
  return status?.active?.find(({ uid }) => uid === metadata.uid);
}

/** Returns the latest time that is due since the last start. Earlier ones are skipped. */
function findLastDue({ metadata, spec, status }: CronJob, schedule: CronSchedule, now: number): number | undefined {
  const since = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? "");
  const deadline = spec.startingDeadlineSeconds === undefined ? since : now - spec.startingDeadlineSeconds * 1000;
  let due: number | undefined;
  let at = schedule.next(Math.max(since, deadline));
  for (let count = 0; at !== undefined && at <= now && count < 100; count++) {
    due = at;
    at = schedule.next(at);
  }
  return due;
}

async function startJob(
  client: Client,
  { cronJob, jobs, due, record }: { cronJob: CronJob; jobs: readonly Job[]; due: number; record: RecordEvent },
): Promise<{ readonly job: Job; readonly due: number } | undefined> {
  const { metadata, spec } = cronJob;
  const active = jobs.filter((job) => !isOver(job) && activeReference(cronJob, job));
  if (active.length > 0 && spec.concurrencyPolicy === "Forbid") {
    const message = "Not starting job because prior execution is running and concurrency policy is Forbid";
    record("Normal", "JobAlreadyActive", message);
    return undefined;
  }
  if (spec.concurrencyPolicy === "Replace") for (const job of active) await deleteJob(client, job, record);
  const scheduled = timestamp(due);
  const made: Job = {
    metadata: {
      ...spec.jobTemplate.metadata,
      name: `${metadata.name}-${Math.floor(due / 60_000)}`,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      annotations: {
        ...spec.jobTemplate.metadata?.annotations,
        "batch.kubernetes.io/cronjob-scheduled-timestamp": scheduled,
      },
      ownerReferences: [controllerReference(CronJobKind, cronJob)],
    },
    spec: spec.jobTemplate.spec,
  };
  try {
    const job = await client.create(JobKind, made);
    record("Normal", "SuccessfulCreate", `Created job ${job.metadata.name}`);
    return { job, due };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    // The job was created before the status was written.
    const job = jobs.find(({ metadata }) => metadata.name === made.metadata.name);
    return job && { job, due };
  }
}

function statusOf(
  cronJob: CronJob,
  jobs: readonly Job[],
  started: { readonly job: Job; readonly due: number } | undefined,
): NonNullable<CronJob["status"]> {
  const { status } = cronJob;
  const running = jobs.filter((job) => !isOver(job)).flatMap((job) => activeReference(cronJob, job) ?? []);
  const isNew = started && !isOver(started.job) && !activeReference(cronJob, started.job);
  const active = isNew ? [...running, objectReference(started.job)] : running;
  const successes = jobs.flatMap(({ status }) => status?.completionTime ?? []).sort();
  const lastSuccessfulTime = successes.at(-1) ?? status?.lastSuccessfulTime;
  const lastScheduleTime = started ? timestamp(started.due) : status?.lastScheduleTime;
  return {
    ...(active.length > 0 && { active }),
    ...(lastScheduleTime && { lastScheduleTime }),
    ...(lastSuccessfulTime && { lastSuccessfulTime }),
  };
}

/** Returns the finished jobs beyond the history limits. */
function findOutdated({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const sorted = jobs.toSorted(byAge);
  const ended = (type: string) => sorted.filter(({ status }) => isConditionTrue(status?.conditions, type));
  const surplus = (list: readonly Job[], limit: number) => list.slice(0, Math.max(0, list.length - limit));
  return [
    ...surplus(ended("Complete"), spec.successfulJobsHistoryLimit ?? 3),
    ...surplus(ended("Failed"), spec.failedJobsHistoryLimit ?? 1),
  ];
}

async function deleteJob(client: Client, { metadata }: Job, record: RecordEvent): Promise<void> {
  const { namespace, name = "" } = metadata;
  await client.delete(JobKind, { namespace, name }, { propagationPolicy: "Background" });
  record("Normal", "SuccessfulDelete", `Deleted job ${name}`);
}
