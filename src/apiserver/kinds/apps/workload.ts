import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import type { Strategy } from "../../registry/served-resource.ts";
import { type FieldRule, fieldRules, minimum, must, type Rows } from "../rules/field-rules.ts";
import { desiredSpec, immutable } from "../rules/immutable.ts";
import { isEmptySelector, labelSelectorErrors, matchesSelector } from "../rules/label-selector-errors.ts";
import { lastingPodErrors, podTemplateErrors, selectorMismatch } from "../rules/pod-spec-errors.ts";

/** Returns the rule of the type of a strategy, which the error does not name. */
export const typeOf = (...types: readonly string[]): FieldRule =>
  must(({ type }: Fields) => types.includes(type as string), `must be of the type ${types.join(" or ")}`);

/** Reports whether a strategy replaces some pods at a time. */
export const isRolling = ({ type }: Fields): boolean => type === "RollingUpdate";

/** The rule of what only such a strategy has. */
export const onlyRolling: FieldRule = must((_rolling, strategy) => isRolling(strategy), "is only for RollingUpdate");

export interface Workload {
  readonly name: "deployment" | "statefulset" | "daemonset";
  readonly applyDefaults: (object: Fields) => void;
  /** Paths of immutable fields. */
  readonly fixed: readonly string[];
  /** The rules of the fields of the spec that only this kind has. */
  readonly rows?: Rows;
  /** Returns the template of the pods as the controller makes them, unless that is the template of the spec. */
  readonly templateOf?: (spec: Fields) => Fields | undefined;
}

export function workload(kind: Workload): Strategy {
  const check = workloadErrors(kind);
  return {
    applyDefaults: kind.applyDefaults,
    generationOf: desiredSpec,
    prepareCreate(object) {
      object["status"] = {};
    },
    validate: (object, old) => [...check(object), ...immutable(object, old, kind.fixed)],
  };
}

/** Returns the check of a workload, apart from its changes. */
export function workloadErrors(kind: Workload): (object: UnstructuredObject) => FieldError[] {
  const specErrors = fieldRules({
    "(replicas|minReadySeconds|progressDeadlineSeconds)": minimum(0),
    // A StatefulSet keeps all revisions then.
    ...(kind.name === "statefulset" ? {} : { revisionHistoryLimit: minimum(0) }),
    progressDeadlineSeconds: must(
      (deadline: number, { minReadySeconds = 0 }) => deadline > (minReadySeconds as number),
      "must be greater than minReadySeconds",
    ),
    ...kind.rows,
  });
  return (object) => {
    const spec = childIf(object, "spec") ?? {};
    return [
      ...specErrors(spec, "spec"),
      ...selectorErrors(childIf(spec, "selector"), kind),
      ...templateErrors(spec, kind),
    ];
  };
}

function selectorErrors(selector: Fields | undefined, { name }: Workload): FieldError[] {
  if (!selector) return name === "daemonset" ? [] : [missing("spec.selector")];
  if (isEmptySelector(selector)) return [invalid("spec.selector", {}, `empty selector is invalid for ${name}`)];
  const errors = labelSelectorErrors(selector, "spec.selector");
  // The conversion of the selector fails, too.
  if (errors.length === 0 || name === "daemonset") return errors;
  return [...errors, invalid("spec.selector", selector, "invalid label selector")];
}

/** Checks the template, and that the selector matches its labels. */
function templateErrors(spec: Fields, { name, templateOf }: Workload): FieldError[] {
  const template = templateOf ? templateOf(spec) : childIf(spec, "template");
  const selector = childIf(spec, "selector");
  const labels = childIf(childIf(template, "metadata"), "labels");
  const isReadable = !selector || labelSelectorErrors(selector).length === 0;
  const isChecked = name === "daemonset" || !selector || (isReadable && !isEmptySelector(selector));
  return [
    ...(isChecked && !matchesSelector(selector, labels) ? [selectorMismatch(labels)] : []),
    // A template whose selector cannot be read is not checked further.
    ...(name === "daemonset" || isReadable ? podTemplateErrors(template, "spec.template") : []),
    ...lastingPodErrors(template, "spec.template.spec"),
  ];
}

/** The rule of a number or percentage of pods. */
export const amount: FieldRule = must(
  (value: unknown) => (typeof value === "number" ? value >= 0 : /^[0-9]+%$/.test(String(value))),
  "must be a number that is not negative, or a percentage such as '93%'",
);

/** The rule of an amount that is not more than all. */
export const atMostAll: FieldRule = must((value: unknown) => percentOf(value) <= 100, "must not be greater than 100%");

/** Returns the number before a percent sign; 0 if there is none. */
function percentOf(value: unknown): number {
  return typeof value === "string" && /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;
}

/** Reports whether a number or percentage of pods is 0; one that cannot be read counts as 0. */
export function isZero(value: unknown = 0): boolean {
  return value === 0 || (typeof value === "string" && percentOf(value) === 0);
}
