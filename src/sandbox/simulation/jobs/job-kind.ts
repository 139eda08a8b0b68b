import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type * as batch from "../../../k8s/batch/v1.ts";
import type { PodTemplate } from "../context/simulated-kinds.ts";

export type Job = batch.Job & { spec: JobSpec };
export type JobSpec = batch.JobSpec & { template: PodTemplate };
export type JobStatus = batch.JobStatus;

export const JobKind: Kind<Job> = defineKind({
  group: "batch",
  version: "v1",
  kind: "Job",
  plural: "jobs",
  subresources: ["status"],
});
