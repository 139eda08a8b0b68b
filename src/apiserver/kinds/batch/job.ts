import { child, childIf, fill, items, type Fields } from "../../../apimachinery/fields.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, required as missing, type FieldError } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells, labelSelectorText, humanDuration, printer } from "../printing/printer.ts";
import { isConditionTrue, isTerminating, mapAt, numberAt, textAt, valueAt } from "../printing/field-access.ts";
import { immutableText } from "../../../apimachinery/tags.ts";
import { desiredSpec, immutable } from "../rules/immutable.ts";
import { matchesSelector } from "../rules/label-selector-errors.ts";
import { defaultTemplate, labelLikePods } from "../rules/pod-defaults.ts";
import { selectorMismatch, podTemplateErrors } from "../rules/pod-spec-errors.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import {
  fieldRules,
  ifParent,
  maxLength,
  minimum,
  must,
  required,
  text,
  type FieldRule,
  type RowsCheck,
} from "../rules/field-rules.ts";
import { domainPathErrors } from "../rules/name-errors.ts";

/** The most indexes that run at a time. */
const mostIndexes = 100_000;

const isIndexed = ({ completionMode }: Fields): boolean => completionMode === "Indexed";

const podOf = (spec: Fields): Fields | undefined => childIf(childIf(spec, "template"), "spec");

/** Checks the restart policy: a pod that always restarts never completes. */
const restarts: FieldRule = (value, at) => {
  const spec = value as Fields;
  const policy = podOf(spec)?.["restartPolicy"];
  if (policy === "Never" || (policy === "OnFailure" && !childIf(spec, "podFailurePolicy"))) return [];
  return [
    invalid(`${at}.template.spec.restartPolicy`, policy, 'must be "Never", or "OnFailure" without podFailurePolicy'),
  ];
};

/** Returns the errors in the spec of a job or of a template for one, apart from its selector. */
export const jobSpecErrors: RowsCheck = fieldRules({
  ".": restarts,
  "(parallelism|completions|activeDeadlineSeconds|backoffLimit|ttlSecondsAfterFinished)": minimum(0),
  template: (template, at) => podTemplateErrors(template as Fields | undefined, at),
  completions: ifParent(isIndexed, required("when completion mode is Indexed")),
  parallelism: must((count: number, spec) => !isIndexed(spec) || count <= mostIndexes, "must not be above the limit"),
  podReplacementPolicy: must(
    (policy, spec) => policy === "Failed" || (policy === "TerminatingOrFailed" && !childIf(spec, "podFailurePolicy")),
    'must be "Failed", or "TerminatingOrFailed" without podFailurePolicy',
  ),
  managedBy: [must((name) => name !== "", "must not be empty"), text(domainPathErrors), maxLength(63)],
});

/** Job. It selects its pods by its own uid, unless `manualSelector` is set. */
export const job: BuiltinKind = {
  applyDefaults: defaultJob,
  generationOf: desiredSpec,
  prepareCreate(job) {
    job["status"] = {};
    if (child(job, "spec")["manualSelector"] !== true) selectOwnPods(job);
    labelLikePods(job);
  },
  prepareUpdate: labelLikePods,
  validate: (job, old) => [...specErrors(job), ...(old ? jobChangeErrors(job, old) : generatedErrors(job))],
  orphansByDefault: true,
  printer: printer("Status|Completions|Duration|Age|Containers*|Images*|Selector*", (object, now) => [
    jobStatus(object),
    completions(object),
    runTime(object, now),
    ...containerCells(valueAt(object, "spec", "template")),
    labelSelectorText(valueAt(object, "spec", "selector")),
  ]),
};

/** Returns Job as it was when the generated labels of its template were fixed. */
export function jobBefore137(kind: BuiltinKind): BuiltinKind {
  return {
    ...kind,
    validate: (job, old) => [...specErrors(job), ...generatedErrors(job), ...(old ? jobChangeErrors(job, old) : [])],
  };
}

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
  metadata["labels"] = { ...childIf(metadata, "labels"), ...podLabels(job.metadata) };
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

/** Returns the errors in the spec of a new or changed job. */
function specErrors(job: UnstructuredObject): FieldError[] {
  const spec = childIf(job, "spec") ?? {};
  const selector = childIf(spec, "selector");
  const labels = valueAt(job, "spec", "template", "metadata", "labels");
  return [
    ...(selector ? [] : [missing("spec.selector")]),
    ...jobSpecErrors(spec, "spec"),
    ...(matchesSelector(selector, labels) ? [] : [selectorMismatch(labels)]),
  ];
}

/** Checks that the selector and the labels that it needs are generated. */
function generatedErrors({ metadata, ...job }: UnstructuredObject): FieldError[] {
  const { manualSelector, selector } = childIf(job, "spec") ?? {};
  if (manualSelector === true || !isObject(selector)) return [];
  const labels = mapAt(job, "spec", "template", "metadata", "labels");
  const entries = Object.entries(mapAt(selector, "matchLabels"));
  const known = ["batch.kubernetes.io/controller-uid", "controller-uid"];
  const isOwn = entries.length > 0 && entries.every(([name, value]) => known.includes(name) && value === metadata.uid);
  return [
    ...Object.entries(podLabels(metadata))
      .filter(([name, value]) => labels[name] !== value)
      .map(([name, value]) => invalid(`spec.template.metadata.labels[${name}]`, labels, `must be '${value}'`)),
    ...(isOwn && items(selector, "matchExpressions").length === 0
      ? []
      : [invalid("spec.selector", selector, "`selector` not auto-generated")]),
  ];
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

const fixed = [
  "spec.selector",
  "spec.completionMode",
  "spec.podFailurePolicy",
  "spec.successPolicy",
  "spec.backoffLimitPerIndex",
  "spec.managedBy",
];

/** Returns an error for each field that must not change after creation. */
function jobChangeErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  return [...immutable(job, old, fixed), ...completionErrors(job, old), ...templateErrors(job, old)];
}

/** Checks the number of completions: an indexed job grows and shrinks with its parallelism. */
function completionErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const at = "spec.completions";
  const { completionMode, completions, parallelism } = childIf(job, "spec") ?? {};
  if (completionMode !== "Indexed") return immutable(job, old, [at]);
  const isSame = completions === valueAt(old, "spec", "completions");
  if (isSame || completions === undefined || completions === parallelism) return [];
  return [invalid(at, completions, "can only be modified in tandem with spec.parallelism")];
}

/** Checks the template of the pods, parts of which may change before any pod runs. */
function templateErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  if (!isIdle(old)) return immutable(job, old, ["spec.template"]);
  const [pods, oldPods] = [job, old].map((each) => childIf(childIf(childIf(each, "spec"), "template"), "spec") ?? {});
  if (equalJson(fixedPart(pods!), fixedPart(oldPods!))) return [];
  return [invalid("spec.template.spec", pods, immutableText)];
}

/** Reports whether a job is suspended and has no pods: it has not started, or its controller has stopped it. */
function isIdle(job: UnstructuredObject): boolean {
  const hasStopped = textAt(job, "status", "startTime") === "" || isConditionTrue(job, "Suspended");
  return valueAt(job, "spec", "suspend") === true && hasStopped && numberAt(job, "status", "active") === 0;
}

/** Returns the spec of pods without their nodes and the resources of their containers. */
function fixedPart(pods: Fields): unknown {
  const { nodeSelector: _selector, tolerations: _tolerations, schedulingGates: _gates, ...rest } = pods;
  const { nodeAffinity: _affinity, ...affinity } = childIf(pods, "affinity") ?? {};
  const [containers, initContainers] = ["containers", "initContainers"].map((list) =>
    items(pods, list).map(({ resources: _resources, ...container }) => container),
  );
  return { ...rest, affinity, containers, initContainers };
}
