import { equalJson } from "../../../apimachinery/equal.ts";
import { type FieldError, duplicate, invalid, invalidWhole } from "../../../apimachinery/field-error.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { fieldRules, minimum } from "../rules/field-rules.ts";
import { haveCommonIndex, parseIndexes } from "./index-intervals.ts";

const countErrors = fieldRules({ "(active|succeeded|failed|ready|terminating)": minimum(0) });

/**
 * Returns the errors in the status of a job. As a job may have a controller of its own, its conditions and counts must
 * agree, but only if they change.
 */
export function jobStatusErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [status, before] = [childIf(job, "status") ?? {}, childIf(old, "status") ?? {}];
  const broken = rulesOf(childIf(job, "spec") ?? {}, status, before).filter(([isBroken]) => isBroken);
  return [
    ...countErrors(status, "status"),
    ...uncountedErrors(childIf(status, "uncountedTerminatedPods")),
    ...broken.map(([, field, why]) => invalidWhole(`status.${field}`, why)),
  ];
}

function uncountedErrors(pods: Fields | undefined): FieldError[] {
  const seen = new Set<unknown>();
  return ["succeeded", "failed"].flatMap((list) =>
    ((pods?.[list] ?? []) as unknown[]).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`;
      const isAgain = seen.size === seen.add(uid).size;
      if (uid === "") return [invalid(field, uid, "must not be empty")];
      return isAgain ? [duplicate(field, uid)] : [];
    }),
  );
}

type Rule = readonly [isBroken: unknown, field: string, why: string];

/** Returns what a status must not be, or become. */
function rulesOf(spec: Fields, status: Fields, before: Fields): Rule[] {
  const has = (of: Fields, type: string, value = "True"): boolean =>
    items(of, "conditions").some((condition) => condition["type"] === type && condition["status"] === value);
  const is = (type: string): boolean => has(status, type);
  const was = (type: string): boolean => has(before, type);
  const changes = (...names: string[]): boolean =>
    names.some((name) => !equalJson(status[name], before[name]) || is(name) !== was(name));
  const { suspend, completions, completionMode, parallelism, backoffLimitPerIndex, successPolicy } = spec;
  const { startTime, completionTime, failedIndexes } = status;
  const { active = 0, ready, terminating = 0 } = status as Record<string, number | undefined>;
  const uncounted = Object.values(childIf(status, "uncountedTerminatedPods") ?? {});
  const [complete, failed, target, success] = ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"].map(is);
  const isEnd = complete || failed;
  const ends = isEnd !== (was("Complete") || was("Failed"));
  const isIndexed = completionMode === "Indexed";
  const isResumed = has(before, "Suspended") && has(status, "Suspended", "False");
  const [done, lost] = [textOf(status["completedIndexes"]), textOf(failedIndexes)];
  const isUnread = (text: string): boolean =>
    completions !== undefined && parseIndexes(text, Number(completions)) === undefined;
  const isCommon = completions !== undefined && haveCommonIndex(done, lost, Number(completions));
  const isLess = (name: string): boolean => Number(status[name] ?? 0) < Number(before[name] ?? 0);
  const isLater = Date.parse(textOf(completionTime)) < Date.parse(textOf(startTime));
  const conditions: readonly (readonly [isBroken: unknown, why: string])[] = [
    [changes("Complete", "Failed") && complete && failed, "Complete and Failed must not both be true"],
    [changes("Complete", "FailureTarget") && complete && target, "Complete and FailureTarget must not both be true"],
    [changes("Failed", "failedIndexes") && failed && !target, "Failed=True requires FailureTarget=True"],
    [
      changes("Complete", "SuccessCriteriaMet") && complete && !success,
      "Complete=True requires SuccessCriteriaMet=True",
    ],
    [success && failed, "SuccessCriteriaMet and Failed must not both be true"],
    [success && target, "SuccessCriteriaMet and FailureTarget must not both be true"],
    [successPolicy !== undefined && !success && complete, "Complete=True requires SuccessCriteriaMet=True"],
    ...["Failed", "Complete", "FailureTarget", "SuccessCriteriaMet"].map(
      (type) => [was(type) && !is(type), `${type}=True must stay`] as const,
    ),
    [was("Complete") && !was("SuccessCriteriaMet") && success, "SuccessCriteriaMet must not come after Complete"],
  ];
  return [
    ...conditions.map(([isBroken, why]): Rule => [isBroken, "conditions", why]),
    [changes("Complete", "completionTime") && completionTime && !complete, "completionTime", "requires Complete=True"],
    [changes("Complete", "completionTime") && !completionTime && complete, "completionTime", "is required if Complete"],
    [changes("startTime", "completionTime") && isLater, "completionTime", "must not be before `startTime`"],
    [
      completionTime && before["completionTime"] && changes("completionTime"),
      "completionTime",
      "must not change once it is set",
    ],
    [
      (ends || changes("startTime")) && !(suspend === true && completions === 0) && !startTime && isEnd,
      "startTime",
      "is required for a finished job",
    ],
    [
      before["startTime"] && changes("startTime") && !isResumed && suspend !== true,
      "startTime",
      "must not change unless the job is suspended",
    ],
    [active > 0 && (ends || changes("active")) && isEnd, "active", "must be 0 for a finished job"],
    [terminating > 0 && (ends || changes("terminating")) && isEnd, "terminating", "must be 0 for a finished job"],
    [
      uncounted.some(Boolean) && (ends || changes("uncountedTerminatedPods")) && isEnd,
      "uncountedTerminatedPods",
      "must be empty for a finished job",
    ],
    [ready !== undefined && changes("ready", "active") && ready > active, "ready", "must not be more than `active`"],
    [isLess("failed"), "failed", "must not decrease"],
    [isLess("succeeded") && !(isIndexed && completions === parallelism), "succeeded", "must not decrease"],
    [changes("completedIndexes") && isUnread(done), "completedIndexes", "must be indexes of the job"],
    [changes("completedIndexes") && done !== "" && !isIndexed, "completedIndexes", "requires the mode Indexed"],
    [
      changes("failedIndexes") && (backoffLimitPerIndex === undefined ? failedIndexes !== undefined : isUnread(lost)),
      "failedIndexes",
      "must be indexes of a job with backoffLimitPerIndex",
    ],
    [changes("failedIndexes", "completedIndexes") && isCommon, "failedIndexes", "must not be in completedIndexes, too"],
  ];
}
