import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, required, type FieldError } from "../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { Strategy } from "../../registry/strategy.ts";
import { desiredSpec, immutable } from "../rules/immutable.ts";
import { isEmptySelector, labelSelectorErrors, matchesSelector } from "../rules/label-selector-errors.ts";
import { lastingPodErrors, podTemplateErrors, selectorMismatch } from "../rules/pod-spec-errors.ts";
import { templateWarnings } from "../rules/pod-warnings.ts";
import { type ReplicaCounts, statusErrors } from "../rules/replica-status-errors.ts";
import { negativeErrors } from "../rules/value-errors.ts";

export interface Workload {
  /** The name in the texts of errors. */
  readonly name: "deployment" | "statefulset" | "daemonset";
  readonly applyDefaults: (object: Fields) => void;
  /** Paths of immutable fields. */
  readonly fixed: readonly string[];
  /** How the status counts replicas; absent for pods on each node. */
  readonly replicas?: ReplicaCounts;
  /** Returns the errors in the fields that only this kind has. */
  readonly ownErrors?: (spec: Fields) => FieldError[];
  /** Returns the template of the pods as the controller makes them, unless that is the template of the spec. */
  readonly templateOf?: (spec: Fields) => Fields | undefined;
}

export function workload(kind: Workload): Strategy {
  return {
    unconditionalUpdate: true,
    applyDefaults: kind.applyDefaults,
    generationOf: desiredSpec,
    prepareCreate(object) {
      object["status"] = {};
    },
    warn: (object, old) => templateWarnings(object, old),
    validate: (object, old, subresource) => [
      ...workloadErrors(object, kind, subresource),
      ...immutable(object, old, kind.fixed),
    ],
  };
}

const amounts = ["replicas", "minReadySeconds", "progressDeadlineSeconds"];

export function workloadErrors(
  object: UnstructuredObject,
  kind: Workload,
  subresource: string | undefined,
): StatusCause[] {
  const spec = childIf(object, "spec") ?? {};
  const { minReadySeconds = 0, progressDeadlineSeconds } = spec as Record<string, number | undefined>;
  return [
    ...negativeErrors(spec, "spec", amounts),
    // A StatefulSet keeps all of them then.
    ...(kind.name === "statefulset" ? [] : negativeErrors(spec, "spec", ["revisionHistoryLimit"])),
    ...(progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds
      ? [invalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds")]
      : []),
    ...(kind.ownErrors?.(spec) ?? []),
    ...selectorErrors(childIf(spec, "selector"), kind),
    ...templateErrors(spec, kind),
    ...(subresource === "status" ? statusErrors(object, kind.replicas) : []),
  ];
}

function selectorErrors(selector: Fields | undefined, { name }: Workload): StatusCause[] {
  if (!selector) return name === "daemonset" ? [] : [required("spec.selector")];
  if (isEmptySelector(selector)) return [invalid("spec.selector", {}, `empty selector is invalid for ${name}`)];
  const errors = labelSelectorErrors(selector, "spec.selector");
  // A real server also reports the failed conversion of the selector.
  if (errors.length === 0 || name === "daemonset") return errors;
  return [...errors, invalid("spec.selector", selector, name === "deployment" ? "invalid label selector" : "")];
}

/** Checks the template, and that the selector matches its labels. */
function templateErrors(spec: Fields, { name, templateOf = ownTemplate }: Workload): StatusCause[] {
  const template = templateOf(spec);
  const selector = childIf(spec, "selector");
  const labels = childIf(childIf(template, "metadata"), "labels");
  const readable = selector !== undefined && labelSelectorErrors(selector, "").length === 0;
  const matches = matchesSelector(selector, labels);
  const isChecked = name === "daemonset" || selector === undefined || (readable && !isEmptySelector(selector));
  // A template whose selector cannot be read is not checked further.
  const errors =
    name !== "daemonset" && selector !== undefined && !readable ? [] : podTemplateErrors(template, "spec.template");
  return [
    ...(isChecked && !matches ? [selectorMismatch(labels)] : []),
    ...errors,
    ...lastingPodErrors(template, "spec.template.spec", ofPods[name]),
  ];
}

function ownTemplate(spec: Fields): Fields | undefined {
  return childIf(spec, "template");
}

/** The kinds in the text about deadlines. */
const ofPods = { daemonset: "DaemonSet", deployment: "ReplicaSet", statefulset: "StatefulSet" };
