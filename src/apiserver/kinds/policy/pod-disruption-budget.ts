import { childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";

/** PodDisruptionBudget. */
export const podDisruptionBudget: BuiltinKind = {
  takesAnyFinalizer: true,
  generationOf: desiredSpec,
  prepareCreate(budget) {
    budget["status"] = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  validate: budgetErrors,
  printer: printer("Min Available|Max Unavailable|Allowed Disruptions:integer|Age", (object, now) => [
    textAt(object, "spec", "minAvailable") || "N/A",
    textAt(object, "spec", "maxUnavailable") || "N/A",
    numberAt(object, "status", "disruptionsAllowed"),
    creationAge(object, now),
  ]),
};

function budgetErrors(budget: UnstructuredObject): FieldError[] {
  const spec = childIf(budget, "spec") ?? {};
  const { minAvailable, maxUnavailable, selector = null, unhealthyPodEvictionPolicy = null } = spec;
  // As Go names the fields of its internal type.
  const whole = {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  };
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(both ? [invalid("spec", whole, "minAvailable and maxUnavailable cannot be both set")] : []),
    ...percentErrors("spec.minAvailable", minAvailable),
    ...percentErrors("spec.maxUnavailable", maxUnavailable),
    ...labelSelectorErrors(childIf(spec, "selector"), "spec.selector"),
  ];
}

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for " +
  "validation is '[0-9]+%')";

/** What is wrong with a number of pods, or a share of them; nothing with one that is not there. */
function percentErrors(field: string, value: unknown): FieldError[] {
  if (typeof value === "number") return value < 0 ? [invalid(field, value, "must be greater than or equal to 0")] : [];
  if (typeof value !== "string") return [];
  if (!/^[0-9]+%$/.test(value)) return [invalid(field, value, percentText)];
  return Number.parseInt(value, 10) > 100 ? [invalid(field, value, "must not be greater than 100%")] : [];
}
