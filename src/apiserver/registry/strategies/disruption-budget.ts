import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { childIf } from "../../../apimachinery/fields.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec } from "./immutable.ts";
import { percentErrors } from "../rules/percent-errors.ts";

export const disruptionBudgetStrategy: Strategy = {
  generationOf: desiredSpec,
  prepareCreate(budget) {
    budget["status"] = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  validate: budgetErrors,
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
