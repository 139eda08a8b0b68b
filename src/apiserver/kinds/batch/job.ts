import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells } from "../printing/workload-cells.ts";
import { isConditionTrue, isTerminating, mapAt, numberAt, textAt, valueAt } from "../printing/field-access.ts";
import { creationAge, humanDuration } from "../printing/human-duration.ts";
import { labelSelectorText } from "../printing/label-text.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { matchesSelector } from "../rules/label-selector-errors.ts";
import { domainPathErrors } from "../rules/name-errors.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { podTemplateErrors, selectorMismatch } from "../rules/pod-spec-errors.ts";
import { namedTemplateWarnings } from "../rules/pod-warnings.ts";
import { negativeErrors, wordErrors } from "../rules/value-errors.ts";
import { jobChangeErrors } from "./job-changes.ts";
import { indexErrors, indexWarnings } from "./job-indexes.ts";

/** Job. It selects its pods by its own uid, unless `manualSelector` is set. */
export const job: BuiltinKind = {
  unconditionalUpdate: true,
  checksUpdateAsNew: true,
  applyDefaults: defaultJob,
  generationOf: desiredSpec,
  prepareCreate(job) {
    job["status"] = {};
    if (child(job, "spec")["manualSelector"] !== true) selectOwnPods(job);
  },
  validate(job, old) {
    const errors = [...specErrors(job), ...generatedErrors(job)];
    // A real server checks the spec of an update twice, and reports its errors twice.
    return old ? [...errors, ...specErrors(job), ...jobChangeErrors(job, old)] : errors;
  },
  warn: (job, old) => [...indexWarnings(childIf(job, "spec")), ...namedTemplateWarnings(job, old)],
  orphansByDefault:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set " +
    "propagationPolicy=Orphan to suppress this warning",
  printer: printer("Status|Completions|Duration|Age|Containers*|Images*|Selector*", (object, now) => [
    jobStatus(object),
    completions(object),
    runTime(object, now),
    creationAge(object, now),
    ...containerCells(valueAt(object, "spec", "template")),
    labelSelectorText(valueAt(object, "spec", "selector")),
  ]),
};

function defaultJob(job: Fields): void {
  const spec = child(job, "spec");
  fill(spec, { manualSelector: false });
  if (spec["completions"] === undefined && spec["parallelism"] === undefined)
    fill(spec, { completions: 1, parallelism: 1 });
  fill(spec, { parallelism: 1, completionMode: "NonIndexed", suspend: false, podReplacementPolicy: replacement(spec) });
  fill(spec, { backoffLimit: spec["backoffLimitPerIndex"] === undefined ? 6 : 2147483647 });
  for (const rule of items(childIf(spec, "podFailurePolicy"), "rules"))
    for (const pattern of items(rule, "onPodConditions")) pattern["status"] ||= "True";
  defaultTemplate(spec);
}

function replacement(spec: Fields): string {
  return spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed";
}

function selectOwnPods(job: UnstructuredObject): void {
  const spec = child(job, "spec");
  const metadata = child(child(spec, "template"), "metadata");
  const all = { ...(childIf(metadata, "labels") as Record<string, string>), ...podLabels(job.metadata) };
  metadata["labels"] = all;
  // A job without labels gets those of its pods.
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...all };
  const selector = child(spec, "selector");
  selector["matchLabels"] = {
    ...childIf(selector, "matchLabels"),
    "batch.kubernetes.io/controller-uid": job.metadata.uid ?? "",
  };
}

/** Returns the labels by which a job finds its pods, with the names that they had before. */
function podLabels({ uid = "", name = "" }: ObjectMeta): Record<string, string> {
  return {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
}

/** Checks the restart policy: a pod that always restarts never completes. */
function restartErrors(spec: Fields, at: string): FieldError[] {
  const policy = childIf(childIf(spec, "template"), "spec")?.["restartPolicy"];
  const field = `${at}.template.spec.restartPolicy`;
  if (policy === "Always") return [required(field, 'valid values: "OnFailure", "Never"')];
  return wordErrors(field, policy, ["OnFailure", "Never"]);
}

const amounts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

/** Returns the errors in the spec of a new or changed job. */
function specErrors(job: UnstructuredObject): FieldError[] {
  const spec = childIf(job, "spec") ?? {};
  const selector = childIf(spec, "selector");
  const labels = valueAt(job, "spec", "template", "metadata", "labels");
  return [
    ...(selector ? [] : [required("spec.selector")]),
    ...jobSpecErrors(spec, "spec"),
    ...(matchesSelector(selector, labels) ? [] : [selectorMismatch(labels)]),
  ];
}

/** Returns the errors in the spec of a job or of a template for one, apart from its selector. */
export function jobSpecErrors(spec: Fields, at: string): FieldError[] {
  return [
    ...negativeErrors(spec, at, amounts),
    ...podTemplateErrors(childIf(spec, "template"), `${at}.template`),
    ...restartErrors(spec, at),
    ...indexErrors(spec, at),
    ...failureErrors(spec, at),
  ];
}

/** Checks the rules for failures, and the manager of the job. */
function failureErrors(spec: Fields, at: string): FieldError[] {
  const policy = childIf(spec, "podFailurePolicy");
  const restartPolicy = childIf(childIf(spec, "template"), "spec")?.["restartPolicy"];
  const { managedBy, podReplacementPolicy } = spec;
  return [
    // The schema reports an unknown word.
    ...(policy && podReplacementPolicy === "TerminatingOrFailed"
      ? wordErrors(`${at}.podReplacementPolicy`, podReplacementPolicy, ["Failed"])
      : []),
    ...(policy && restartPolicy === "OnFailure"
      ? [
          invalid(
            `${at}.template.spec.restartPolicy`,
            restartPolicy,
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
    ...items(policy, "rules").flatMap((rule, index) =>
      failureRuleErrors(rule, `${at}.podFailurePolicy.rules[${index}]`, spec),
    ),
    ...(managedBy === undefined ? [] : domainPathErrors(`${at}.managedBy`, textOf(managedBy))),
  ];
}

function failureRuleErrors(rule: Fields, at: string, { backoffLimitPerIndex }: Fields): FieldError[] {
  const codes = childIf(rule, "onExitCodes");
  const values = (codes?.["values"] ?? []) as unknown[];
  const conditions = items(rule, "onPodConditions");
  const wanted = "specifying one of OnExitCodes and OnPodConditions is required";
  return [
    ...(rule["action"] === "FailIndex" && backoffLimitPerIndex === undefined
      ? [invalid(`${at}.action`, "FailIndex", "requires the backoffLimitPerIndex to be set")]
      : []),
    ...(codes || conditions.length > 0 ? [] : [{ ...invalid(at, "", ""), message: `Invalid value: ${wanted}` }]),
    ...(codes && conditions.length > 0
      ? [
          {
            ...invalid(at, "", ""),
            message: "Invalid value: specifying both OnExitCodes and OnPodConditions is not supported",
          },
        ]
      : []),
    ...values.flatMap((value, index) =>
      value === 0 && codes?.["operator"] === "In"
        ? [invalid(`${at}.onExitCodes.values[${index}]`, 0, "must not be 0 for the In operator")]
        : [],
    ),
  ];
}

/** Checks that the selector and the labels that it needs are generated, unless `manualSelector` is set. */
function generatedErrors({ metadata, ...job }: UnstructuredObject): FieldError[] {
  const spec = childIf(job, "spec") ?? {};
  const selector = childIf(spec, "selector");
  if (spec["manualSelector"] === true || !selector) return [];
  const labels = mapAt(spec, "template", "metadata", "labels");
  const { matchLabels = {} } = selector as { matchLabels?: Record<string, string> };
  const known = new Set(["batch.kubernetes.io/controller-uid", "controller-uid"]);
  const entries = Object.entries(matchLabels);
  const isOwn = entries.length > 0 && entries.every(([name, value]) => known.has(name) && value === metadata.uid);
  return [
    ...Object.entries(podLabels(metadata)).flatMap(([name, value]) => labelErrors(labels, name, value)),
    ...(isOwn && items(selector, "matchExpressions").length === 0
      ? []
      : [invalid("spec.selector", selector, "`selector` not auto-generated")]),
  ];
}

function labelErrors(labels: Readonly<Record<string, unknown>>, name: string, value: string): FieldError[] {
  const [field, text] = [`spec.template.metadata.labels[${name}]`, `must be '${value}'`];
  if (labels[name] === undefined) return [required(field, text)];
  return labels[name] === value ? [] : [invalid(field, labels, text)];
}

function jobStatus(object: Fields): string {
  if (isConditionTrue(object, "Complete")) return "Complete";
  if (isConditionTrue(object, "Failed")) return "Failed";
  if (isTerminating(object)) return "Terminating";
  return (
    ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((type) => isConditionTrue(object, type)) ?? "Running"
  );
}

function completions(object: Fields): string {
  const succeeded = numberAt(object, "status", "succeeded");
  if (valueAt(object, "spec", "completions") !== undefined) {
    return `${succeeded}/${numberAt(object, "spec", "completions")}`;
  }
  const parallelism = numberAt(object, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function runTime(object: Fields, now: number): string {
  const start = textAt(object, "status", "startTime");
  if (start === "") return "";
  const end = textAt(object, "status", "completionTime");
  return humanDuration((end === "" ? now : Date.parse(end)) - Date.parse(start));
}
