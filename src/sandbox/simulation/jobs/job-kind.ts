import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, LabelSelector } from "../../../apimachinery/meta.ts";
import type { PodTemplate, WorkloadCondition } from "../context/simulated-kinds.ts";

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: "NonIndexed" | "Indexed";
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  podReplacementPolicy?: "TerminatingOrFailed" | "Failed";
  managedBy?: string;
  selector?: LabelSelector;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  podFailurePolicy?: { rules: FailurePolicyRule[] };
  successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] };
  template: PodTemplate;
}

export interface FailurePolicyRule {
  action: "FailJob" | "FailIndex" | "Ignore" | "Count";
  onExitCodes?: { containerName?: string; operator: "In" | "NotIn"; values: number[] };
  onPodConditions?: { type: string; status?: string }[];
}

export interface JobStatus {
  active?: number;
  ready?: number;
  succeeded?: number;
  failed?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  startTime?: string;
  completionTime?: string;
  terminating?: number;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  conditions?: WorkloadCondition[];
}

export const JobKind: Kind<Job> = defineKind({
  group: "batch",
  version: "v1",
  kind: "Job",
  plural: "jobs",
  subresources: ["status"],
});
