/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import {
  cloneJson,
  controllerManagedBy,
  controllerOf,
  equalJson,
  formatTime,
  ignoreNotFound,
  isConditionTrue,
  objectReference,
  parseTime,
  requeueAt,
  setCondition,
  setControllerReference,
  type Client,
  type Controller,
  type Manager,
  type Named,
  type NewCondition,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Job } from "tsop/k8s/batch/v1";
import { CronJob } from "../api/v1/zz_generated.kinds.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";

const jobOwner = ".metadata.controller";
const scheduledAt = "batch.tutorial.kubebuilder.io/scheduled-at";

/** Creates a Job at each time of a CronJob's schedule, and deletes those that exceed its history limits. */
export class CronJobReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=get;list;watch
  // +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs/finalizers,verbs=update
  // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;delete
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    const cronJob = await this.client.getOrUndefined(CronJob, req);
    if (!cronJob || cronJob.metadata.deletionTimestamp) return {}; // deleted; its Jobs are deleted with it

    const { namespace, uid = "" } = cronJob.metadata;
    const { items } = await this.client.list(Job, { namespace, fields: { [jobOwner]: uid } });
    const jobs = items.toSorted((a, b) => scheduledTime(a) - scheduledTime(b));
    const active = jobs.filter((job) => !isFinished(job));
    const { schedule, condition } = plan(cronJob);

    const current = await this.reportStatus(cronJob, jobs, active, condition);
    await this.pruneHistory(current, jobs, ctx);
    return schedule ? this.runIfDue(current, schedule, active, ctx) : {};
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    mgr.indexField(Job, jobOwner, (job) => {
      const owner = controllerOf(job);
      return owner ? [owner.uid] : [];
    });
    return controllerManagedBy(mgr).for(CronJob).owns(Job).named("cronjob").complete(this);
  }

  /** Writes the status if it changed; returns the CronJob as it is then. */
  private async reportStatus(
    cronJob: Named<CronJob>,
    jobs: Named<Job>[],
    active: Named<Job>[],
    condition: NewCondition,
  ): Promise<Named<CronJob>> {
    const before = cronJob.status ?? {};
    // The status remembers the time of a Job that is deleted, so that its run is not repeated.
    const last = Math.max(Date.parse(before.lastScheduleTime ?? "") || 0, ...jobs.map(scheduledTime));
    const conditions = cloneJson(before.conditions ?? []);
    setCondition(conditions, condition);
    const status = {
      ...(active.length > 0 && { active: active.slice(-10).map((job) => objectReference(job)) }),
      ...(last > 0 && { lastScheduleTime: formatTime(last) }),
      conditions,
    };
    return equalJson(status, before) ? cronJob : this.client.status.update(CronJob, { ...cronJob, status });
  }

  private async pruneHistory({ spec }: CronJob, jobs: Named<Job>[], ctx: ReconcileContext): Promise<void> {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
    const excess = [
      ...oldest(jobs.filter(isComplete), successfulJobsHistoryLimit),
      ...oldest(jobs.filter(isFailed), failedJobsHistoryLimit),
    ];
    for (const job of excess) {
      await this.deleteJob(job);
      ctx.log.info("Deleted an old Job", { job: job.metadata.name });
    }
  }

  /** Creates the Job of the latest run that was missed, if it may still start; waits for the next one. */
  private async runIfDue(
    cronJob: Named<CronJob>,
    schedule: Schedule,
    active: Named<Job>[],
    ctx: ReconcileContext,
  ): Promise<Result> {
    const now = Date.now();
    const next = schedule.next(now);
    const result = next === undefined ? {} : requeueAt(next, now);
    const { startingDeadlineSeconds = Infinity, concurrencyPolicy } = cronJob.spec;
    const since = parseTime(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? formatTime(now));
    const due = schedule.latest(since, now);
    if (due === undefined) return result;

    const run = { scheduled: formatTime(due) };
    if (due + startingDeadlineSeconds * 1000 < now) {
      ctx.log.info("Missed the starting deadline of the last run", run);
      return result;
    }
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      ctx.log.info("An earlier Job still runs", { ...run, active: active.length });
      return result; // its end leads to another reconcile
    }
    if (concurrencyPolicy === "Replace") for (const job of active) await this.deleteJob(job);
    const job = await this.client.create(Job, jobFor(cronJob, due));
    ctx.log.info("Created a Job", { ...run, job: job.metadata.name });
    return result;
  }

  /** Deletes a Job with its pods. */
  private async deleteJob(job: Named<Job>): Promise<void> {
    await this.client.delete(Job, job, { propagationPolicy: "Background" }).catch(ignoreNotFound);
  }
}

/** Returns the schedule, if further runs are to be created, and the condition that says so. */
function plan({ metadata, spec }: CronJob): { schedule?: Schedule; condition: NewCondition } {
  const { generation } = metadata;
  const condition = (status: "True" | "False", reason: string, message: string): NewCondition => ({
    type: "Scheduled",
    status,
    reason,
    message,
    ...(generation !== undefined && { observedGeneration: generation }),
  });
  if (spec.suspend) return { condition: condition("False", "Suspended", "spec.suspend is true") };
  try {
    const schedule = parseSchedule(spec.schedule);
    return { schedule, condition: condition("True", "ScheduleKnown", `runs at ${spec.schedule}`) };
  } catch (error) {
    // The webhook refuses such a schedule, unless it was off.
    return { condition: condition("False", "InvalidSchedule", String(error)) };
  }
}

/** Returns the Job of a run. Its name follows from the time, so that no run has two Jobs. */
function jobFor(cronJob: Named<CronJob>, time: number): Job {
  const { metadata, spec } = cloneJson(cronJob.spec.jobTemplate);
  const job: Job = {
    metadata: {
      labels: metadata?.labels ?? {},
      annotations: { ...metadata?.annotations, [scheduledAt]: formatTime(time) },
      namespace: cronJob.metadata.namespace,
      name: `${cronJob.metadata.name}-${time / 1000}`,
    },
    ...(spec && { spec }),
  };
  setControllerReference(cronJob, job);
  return job;
}

function scheduledTime({ metadata }: Job): number {
  return Date.parse(metadata.annotations?.[scheduledAt] ?? "") || 0;
}

function oldest(jobs: Named<Job>[], keep: number): Named<Job>[] {
  return jobs.slice(0, Math.max(0, jobs.length - keep));
}

function isComplete({ status }: Job): boolean {
  return isConditionTrue(status?.conditions, "Complete");
}

function isFailed({ status }: Job): boolean {
  return isConditionTrue(status?.conditions, "Failed");
}

function isFinished(job: Job): boolean {
  return isComplete(job) || isFailed(job);
}
