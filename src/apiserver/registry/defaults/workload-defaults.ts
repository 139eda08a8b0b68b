import { child, childIf, fill, items, type Fields } from "../../../apimachinery/fields.ts";
import { defaultPodSpec } from "./pod-defaults.ts";

const quarter = { maxUnavailable: "25%", maxSurge: "25%" };

export function defaultDeployment(deployment: Fields): void {
  const spec = child(deployment, "spec");
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = child(spec, "strategy");
  fill(strategy, { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") fill(child(strategy, "rollingUpdate"), quarter);
  defaultTemplate(spec);
}

export function defaultReplicaSet(replicaSet: Fields): void {
  const spec = child(replicaSet, "spec");
  fill(spec, { replicas: 1 });
  defaultTemplate(spec);
}

export function defaultReplicationController(controller: Fields): void {
  const spec = child(controller, "spec");
  const labels = childIf(childIf(childIf(spec, "template"), "metadata"), "labels");
  if (labels) {
    fill(spec, { selector: labels });
    fill(child(controller, "metadata"), { labels });
  }
  fill(spec, { replicas: 1 });
  // The schema has a default for it, and Go does not show a zero.
  if (spec["minReadySeconds"] === 0) delete spec["minReadySeconds"];
  if (childIf(spec, "template")) defaultTemplate(spec);
}

export function defaultStatefulSet(set: Fields): void {
  const spec = child(set, "spec");
  fill(spec, { replicas: 1, podManagementPolicy: "OrderedReady", revisionHistoryLimit: 10 });
  const strategy = child(spec, "updateStrategy");
  // A type that was written stays without the details that nobody wrote.
  if (!strategy["type"]) fill(strategy, { type: "RollingUpdate", rollingUpdate: {} });
  const rolling = childIf(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && rolling) fill(rolling, { partition: 0 });
  fill(child(spec, "persistentVolumeClaimRetentionPolicy"), { whenDeleted: "Retain", whenScaled: "Retain" });
  for (const claim of items(spec, "volumeClaimTemplates")) {
    fill(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
    defaultVolumeClaim(claim);
    fill(child(claim, "status"), { phase: "Pending" });
  }
  defaultTemplate(spec);
}

export function defaultDaemonSet(set: Fields): void {
  const spec = child(set, "spec");
  fill(spec, { revisionHistoryLimit: 10 });
  const strategy = child(spec, "updateStrategy");
  fill(strategy, { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") fill(child(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
  defaultTemplate(spec);
}

export function defaultJob(job: Fields): void {
  defaultJobSpec(child(job, "spec"));
}

export function defaultCronJob(cronJob: Fields): void {
  const spec = child(cronJob, "spec");
  fill(spec, {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  // A template's job gets none of a job's own defaults, only those of its pods.
  const template = childIf(spec, "jobTemplate");
  if (template) child(template, "metadata");
  const jobSpec = childIf(template, "spec");
  if (jobSpec) defaultTemplate(jobSpec);
}

function defaultVolumeClaim(claim: Fields): void {
  fill(child(claim, "spec"), { volumeMode: "Filesystem" });
}

function defaultJobSpec(spec: Fields): void {
  fill(spec, { manualSelector: false });
  if (spec["completions"] === undefined && spec["parallelism"] === undefined)
    fill(spec, { completions: 1, parallelism: 1 });
  fill(spec, { parallelism: 1, completionMode: "NonIndexed", suspend: false, podReplacementPolicy: replacement(spec) });
  fill(spec, { backoffLimit: spec["backoffLimitPerIndex"] === undefined ? 6 : 2147483647 });
  for (const rule of items(childIf(spec, "podFailurePolicy"), "rules"))
    for (const pattern of items(rule, "onPodConditions")) fill(pattern, { status: "True" });
  defaultTemplate(spec);
}

function replacement(spec: Fields): string {
  return spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed";
}

export function defaultPodTemplate(podTemplate: Fields): void {
  defaultTemplate(podTemplate);
}

/** A template is never missing, as a Go struct is not: what is missing in it is what is wrong. */
function defaultTemplate(spec: Fields): void {
  const template = child(spec, "template");
  child(template, "metadata");
  defaultPodSpec(child(template, "spec"));
}
