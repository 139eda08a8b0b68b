import type { JobCondition } from "../../../k8s/batch/v1.ts";
import type { Job, JobStatus } from "../context/simulated-kinds.ts";

/** How a job ends, and why. */
export interface Verdict {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** Reports whether a job has completed or failed. */
export function isOver({ status }: Job): boolean {
  return finishedCondition(status) !== undefined;
}

/** Returns the condition of a job that has completed or failed. */
export function finishedCondition(status: JobStatus | undefined): JobCondition | undefined {
  return status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Complete" || type === "Failed"),
  );
}

/** Returns the verdict in a job's status. It is final, even if deleted pods change the counts. */
export function decisionOf({ status }: Job): Verdict | undefined {
  for (const { type: target, reason = "", message = "" } of status?.conditions ?? []) {
    if (target === "SuccessCriteriaMet") return { type: "Complete", reason, message };
    if (target === "FailureTarget") return { type: "Failed", reason, message };
  }
  return undefined;
}

/** Returns the conditions with the one that says whether the job is suspended, which only a job has that once was. */
export function suspendConditions({ spec, status }: Job, now: string): JobCondition[] {
  const known = status?.conditions ?? [];
  const suspended = known.find(({ type }) => type === "Suspended");
  if ((suspended?.status === "True") === (spec.suspend ?? false)) return known;
  const next: JobCondition = spec.suspend
    ? condition("Suspended", { reason: "JobSuspended", message: "Job suspended" }, now)
    : { ...condition("Suspended", { reason: "JobResumed", message: "Job resumed" }, now), status: "False" };
  return [...known.filter((other) => other !== suspended), next];
}

/** Returns the conditions with those of a verdict: one as soon as it is known, another when all pods are counted. */
export function verdictConditions(
  { status }: Job,
  { type, ...why }: Verdict,
  { isEnded, now }: { isEnded: boolean; now: string },
): JobCondition[] {
  const known = status?.conditions ?? [];
  const first = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  const isTold = known.some((condition) => condition.type === first);
  return [...known, ...(isTold ? [] : [condition(first, why, now)]), ...(isEnded ? [condition(type, why, now)] : [])];
}

function condition(type: string, why: { reason: string; message: string }, now: string): JobCondition {
  return { type, status: "True", ...why, lastProbeTime: now, lastTransitionTime: now };
}
