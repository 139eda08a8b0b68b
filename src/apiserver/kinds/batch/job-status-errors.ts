import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, duplicate, invalid, invalidWhole, required } from "../../../apimachinery/field-error.ts";
import { immutableText } from "../rules/immutable.ts";
import { fieldRules, minimum } from "../rules/field-rules.ts";
import { firstCommonIndex, parseIndexes } from "./index-intervals.ts";

/** A job and its status, before and after an update. */
interface Update {
  readonly spec: Fields;
  readonly status: Fields;
  readonly before: Fields;
  /** Reports whether a condition is true. */
  readonly is: (type: string) => boolean;
  readonly was: (type: string) => boolean;
  /** Reports whether one of the fields or conditions has changed. */
  readonly hasChanged: (...names: string[]) => boolean;
}

/**
 * Returns the errors in the status of a job. As a job may have a controller of its own, a real server checks that
 * conditions and counts agree, but only if they change.
 */
export function jobStatusErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [status, before] = [childIf(job, "status") ?? {}, childIf(old, "status") ?? {}];
  const isTrue = (of: Fields, type: string): boolean =>
    items(of, "conditions").some((condition) => condition["type"] === type && condition["status"] === "True");
  const is = (type: string): boolean => isTrue(status, type);
  const was = (type: string): boolean => isTrue(before, type);
  const hasChanged = (...names: string[]): boolean =>
    names.some((name) => !equalJson(status[name], before[name]) || is(name) !== was(name));
  const update = { spec: childIf(job, "spec") ?? {}, status, before, is, was, hasChanged };
  return [
    ...countErrors(status, "status"),
    ...uncountedErrors(childIf(status, "uncountedTerminatedPods")),
    ...conditionErrors(update),
    ...timeErrors(update),
    ...podErrors(update),
    ...indexErrors(update),
    ...reversalErrors(update),
  ];
}

const countErrors = fieldRules({ "(active|succeeded|failed|ready|terminating)": minimum(0) });

function uncountedErrors(pods: Fields | undefined): FieldError[] {
  const seen = new Set<unknown>();
  return ["succeeded", "failed"].flatMap((list) =>
    ((pods?.[list] ?? []) as unknown[]).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`;
      const isAgain = seen.has(uid);
      seen.add(uid);
      if (uid === "") return [invalid(field, uid, "must not be empty")];
      return isAgain ? [duplicate(field, uid)] : [];
    }),
  );
}

/** Checks which conditions are true together. */
function conditionErrors({ spec, is, hasChanged }: Update): FieldError[] {
  const [complete, failed, target, success] = ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"].map(is);
  const rules: readonly (readonly [isBroken: boolean | undefined, why: string])[] = [
    [hasChanged("Complete", "Failed") && complete && failed, "cannot set Complete=True and Failed=true conditions"],
    [
      hasChanged("Complete", "FailureTarget") && complete && target,
      "cannot set Complete=True and FailureTarget=true conditions",
    ],
    [
      hasChanged("Failed", "failedIndexes") && failed && !target,
      "cannot set Failed=True condition without the FailureTarget=true condition",
    ],
    [
      hasChanged("Complete", "SuccessCriteriaMet") && complete && !success,
      "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
    ],
    [success && failed, "cannot set SuccessCriteriaMet=True and Failed=true conditions"],
    [success && target, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"],
    [
      spec["successPolicy"] !== undefined && !success && complete,
      "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, why]) => invalidWhole("status.conditions", why));
}

const isEnd = (condition: (type: string) => boolean): boolean => condition("Complete") || condition("Failed");

function timeErrors({ spec, status, is, was, hasChanged }: Update): FieldError[] {
  const { startTime, completionTime } = status;
  const field = "status.completionTime";
  const isComplete = is("Complete");
  const ends = isEnd(is) !== isEnd(was);
  const neverStarts = spec["suspend"] === true && spec["completions"] === 0;
  const isCompleted = hasChanged("Complete", "completionTime");
  const isBefore = Date.parse(textOf(completionTime)) < Date.parse(textOf(startTime));
  return [
    ...(isCompleted && completionTime && !isComplete
      ? [invalid(field, completionTime, "cannot set completionTime when there is no Complete=True condition")]
      : []),
    ...(isCompleted && !completionTime && isComplete
      ? [required(field, "completionTime is required for Complete jobs")]
      : []),
    ...(hasChanged("startTime", "completionTime") && isBefore
      ? [invalid(field, completionTime, "must be equal to or after `startTime`")]
      : []),
    ...((ends || hasChanged("startTime")) && !neverStarts && !startTime && isEnd(is)
      ? [required("status.startTime", "startTime is required for finished job")]
      : []),
  ];
}

/** Checks the counts of pods; a job that has ended has none. */
function podErrors({ status, is, was, hasChanged }: Update): FieldError[] {
  const { active = 0, ready, terminating = 0 } = status as Record<string, number | undefined>;
  const { succeeded = null, failed = null } = childIf(status, "uncountedTerminatedPods") ?? {};
  const changes = (name: string): boolean => isEnd(is) !== isEnd(was) || hasChanged(name);
  const refuse = (name: string, value: unknown, why: string): FieldError[] =>
    changes(name) && isEnd(is) ? [invalid(`status.${name}`, value, why)] : [];
  const uncounted = { Succeeded: succeeded, Failed: failed };
  return [
    ...(active > 0 ? refuse("active", active, "active>0 is invalid for finished job") : []),
    ...(succeeded || failed ? refuse("uncountedTerminatedPods", uncounted, "must be empty for finished job") : []),
    ...(terminating > 0 ? refuse("terminating", terminating, "terminating>0 is invalid for finished job") : []),
    ...(ready !== undefined && hasChanged("ready", "active") && ready > active
      ? [invalid("status.ready", ready, "cannot set more ready pods than active")]
      : []),
  ];
}

function indexErrors({ spec, status, hasChanged }: Update): FieldError[] {
  const { completions, completionMode, backoffLimitPerIndex } = spec;
  const { failedIndexes } = status;
  const [completed, failed] = [textOf(status["completedIndexes"]), textOf(failedIndexes)];
  const [isCompleted, isFailed] = [hasChanged("completedIndexes"), hasChanged("failedIndexes")];
  const parsed = (name: string, text: string): FieldError[] => {
    const problem = completions === undefined ? undefined : parseIndexes(text, Number(completions)).problem;
    return problem === undefined ? [] : [invalid(`status.${name}`, text, `error parsing ${name}: ${problem}`)];
  };
  const common = completions === undefined ? undefined : firstCommonIndex(completed, failed, Number(completions));
  const overlap = `failedIndexes and completedIndexes overlap at index: ${common}`;
  return [
    ...(isCompleted ? parsed("completedIndexes", completed) : []),
    ...(isFailed && backoffLimitPerIndex !== undefined ? parsed("failedIndexes", failed) : []),
    ...(isCompleted && completed !== "" && completionMode !== "Indexed"
      ? [
          invalid(
            "status.completedIndexes",
            completed,
            "cannot set non-empty completedIndexes when non-indexed completion mode",
          ),
        ]
      : []),
    ...(isFailed && failedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [invalid("status.failedIndexes", failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null")]
      : []),
    ...((isFailed || isCompleted) && common !== undefined ? [invalid("status.failedIndexes", failed, overlap)] : []),
  ];
}

/** Rejects that something becomes undone. */
function reversalErrors({ spec, status, before, is, was, hasChanged }: Update): FieldError[] {
  const { startTime, completionTime } = status;
  const mayShrink = spec["completionMode"] === "Indexed" && spec["completions"] === spec["parallelism"];
  const isSuspended = (of: Fields, value: string): boolean =>
    items(of, "conditions").some(({ type, status }) => type === "Suspended" && status === value);
  const isResumed = isSuspended(before, "True") && isSuspended(status, "False");
  const isLess = (name: string): boolean => Number(status[name] ?? 0) < Number(before[name] ?? 0);
  const fewer = (name: string): FieldError[] =>
    isLess(name) ? [invalid(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`)] : [];
  return [
    ...["Failed", "Complete", "FailureTarget"]
      .filter((type) => was(type) && !is(type))
      .map((type) => invalidWhole("status.conditions", `cannot disable the terminal ${type}=True condition`)),
    ...fewer("failed"),
    ...(mayShrink ? [] : fewer("succeeded")),
    ...(completionTime && before["completionTime"] && hasChanged("completionTime")
      ? [invalid("status.completionTime", completionTime, immutableText)]
      : []),
    ...(before["startTime"] && hasChanged("startTime") && !isResumed && spec["suspend"] !== true
      ? [invalid("status.startTime", startTime ?? null, `${immutableText} for unsuspended job once set`)]
      : []),
    ...(was("SuccessCriteriaMet") && !is("SuccessCriteriaMet")
      ? [invalidWhole("status.conditions", "cannot disable the SuccessCriteriaMet=True condition")]
      : []),
    ...(was("Complete") && !was("SuccessCriteriaMet") && is("SuccessCriteriaMet")
      ? [
          invalidWhole(
            "status.conditions",
            "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
          ),
        ]
      : []),
  ];
}
