import { invalid, notSupported, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { valueAt } from "../simple-path.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { childIf, items, type Fields } from "../../../apimachinery/fields.ts";
import { matchesSelector } from "./matches-selector.ts";
import { podTemplateErrors, unselected } from "./pod-template-errors.ts";

/** A pod that always restarts never completes. */
export function restartErrors(spec: Fields, at: string): FieldError[] {
  const policy = childIf(childIf(spec, "template"), "spec")?.["restartPolicy"];
  const field = `${at}.template.spec.restartPolicy`;
  if (policy === "Always") return [required(field, 'valid values: "OnFailure", "Never"')];
  return policy === "OnFailure" || policy === "Never" ? [] : [notSupported(field, policy, ["OnFailure", "Never"])];
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

/** What is wrong with a job, new or changed. */
export function jobErrors(job: UnstructuredObject): FieldError[] {
  const spec = childIf(job, "spec") ?? {};
  const selector = childIf(spec, "selector");
  const labels = valueAt(job, "spec.template.metadata.labels");
  return [
    ...(selector ? [] : [required("spec.selector")]),
    ...amounts.flatMap((name) =>
      Number(spec[name] ?? 0) < 0 ? [invalid(`spec.${name}`, spec[name], "must be greater than or equal to 0")] : [],
    ),
    ...podTemplateErrors(childIf(spec, "template"), "spec.template"),
    ...restartErrors(spec, "spec"),
    ...indexErrors(spec),
    ...(matchesSelector(selector, labels) ? [] : [unselected(labels)]),
    ...(selector ? generatedErrors(job, selector) : []),
  ];
}

/** What belongs to indexes makes no sense without them. */
function indexErrors(spec: Fields): FieldError[] {
  const { completionMode, completions } = spec;
  if (completionMode === "Indexed")
    return completions === undefined ? [required("spec.completions", "when completion mode is Indexed")] : [];
  return ["backoffLimitPerIndex", "maxFailedIndexes"].flatMap((name) =>
    spec[name] === undefined ? [] : [invalid(`spec.${name}`, spec[name], "requires indexed completion mode")],
  );
}

/** Who brings a selector along has to say so. */
function generatedErrors({ metadata: { uid = "" }, ...job }: UnstructuredObject, selector: Fields): FieldError[] {
  const spec = childIf(job, "spec") ?? {};
  if (spec["manualSelector"] === true) return [];
  const { matchLabels = {} } = selector as { matchLabels?: Record<string, string> };
  const known = new Set(["batch.kubernetes.io/controller-uid", "controller-uid"]);
  const entries = Object.entries(matchLabels);
  const isOwn = entries.length > 0 && entries.every(([name, value]) => known.has(name) && value === uid);
  if (isOwn && items(selector, "matchExpressions").length === 0) return [];
  return [invalid("spec.selector", selector, "`selector` not auto-generated")];
}
