import type { PodFailurePolicyRule } from "../../../k8s/batch/v1.ts";
import type { Job, Pod } from "../context/simulated-kinds.ts";
import { parseRanges } from "./index-ranges.ts";

/** Reports whether the failure policy of a job ignores a failed pod, which then does not count as a failure. */
export function isIgnored(job: Job, pod: Pod): boolean {
  return ruleFor(job, pod)?.action === "Ignore";
}

/** Reports whether the failure policy of a job gives up the index of a failed pod. */
export function failsIndex(job: Job, pod: Pod): boolean {
  return ruleFor(job, pod)?.action === "FailIndex";
}

/** Returns why a failed pod fails the whole job; undefined if it does not. */
export function jobFailureOf(job: Job, pod: Pod): string | undefined {
  if (ruleFor(job, pod)?.action !== "FailJob") return undefined;
  return `A FailJob rule matches pod ${pod.metadata.namespace}/${pod.metadata.name}`;
}

/** Returns the first rule that matches a failed pod. */
function ruleFor({ spec }: Job, { status = {} }: Pod): PodFailurePolicyRule | undefined {
  return spec.podFailurePolicy?.rules.find(({ onExitCodes, onPodConditions = [] }) => {
    if (!onExitCodes)
      return status.conditions?.some((condition) =>
        onPodConditions.some(
          ({ type, status: wanted = "True" }) => type === condition.type && wanted === condition.status,
        ),
      );
    const { containerName, operator, values } = onExitCodes;
    const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    return all.some(({ name, state: { terminated: { exitCode } = { exitCode: 0 } } }) => {
      const isMeant = exitCode !== 0 && (containerName ?? name) === name;
      return isMeant && values.includes(exitCode) === (operator === "In");
    });
  });
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
