import type { FailurePolicyRule, Job } from "./job-kind.ts";
import { parseRanges } from "./index-ranges.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** Reports whether the failure policy of a job ignores a failed pod, which then does not count as a failure. */
export function isIgnored(job: Job, pod: Pod): boolean {
  return ruleFor(job, pod)?.rule.action === "Ignore";
}

/** Reports whether the failure policy of a job gives up the index of a failed pod. */
export function failsIndex(job: Job, pod: Pod): boolean {
  return ruleFor(job, pod)?.rule.action === "FailIndex";
}

/** Returns why a failed pod fails the whole job; undefined if it does not. */
export function jobFailureOf(job: Job, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata;
  const found = ruleFor(job, pod);
  if (found?.rule.action !== "FailJob") return undefined;
  return `${found.subject(`${namespace}/${name}`)} matching FailJob rule at index ${found.index}`;
}

interface Match {
  readonly rule: FailurePolicyRule;
  readonly index: number;
  /** Words what the rule is about. */
  readonly subject: (pod: string) => string;
}

/** Finds the first rule that matches a failed pod. */
function ruleFor({ spec }: Job, pod: Pod): Match | undefined {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const subject = subjectOf(rule, pod);
    if (subject) return { rule, index, subject };
  }
  return undefined;
}

function subjectOf({ onExitCodes, onPodConditions = [] }: FailurePolicyRule, pod: Pod): Match["subject"] | undefined {
  if (onExitCodes) {
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    for (const { name, state } of [...containerStatuses, ...initContainerStatuses]) {
      const { exitCode = 0 } = (state["terminated"] ?? {}) as { exitCode?: number };
      if (exitCode === 0 || (onExitCodes.containerName ?? name) !== name) continue;
      if (onExitCodes.values.includes(exitCode) === (onExitCodes.operator === "In"))
        return (pod) => `Container ${name} for pod ${pod} failed with exit code ${exitCode}`;
    }
    return undefined;
  }
  const isMeant = ({ type, status }: { readonly type: string; readonly status: string }): boolean =>
    onPodConditions.some((pattern) => pattern.type === type && (pattern.status ?? "True") === status);
  const condition = pod.status?.conditions?.find(isMeant);
  return condition && ((pod) => `Pod ${pod} has condition ${condition.type}`);
}

/** Returns which rule of the success policy the completed indexes meet; undefined if none. */
export function successOf({ spec }: Job, completed: readonly number[]): string | undefined {
  if (completed.length === 0) return undefined;
  const done = new Set(completed);
  const index = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount = Infinity }) => {
    if (succeededIndexes === undefined) return completed.length >= succeededCount;
    const wanted = parseRanges(succeededIndexes);
    const found = wanted.filter((each) => done.has(each)).length;
    return found === wanted.length || found >= succeededCount;
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
