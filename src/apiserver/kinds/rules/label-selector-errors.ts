import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { LabelSelector } from "../../../apimachinery/meta.ts";
import { invalid } from "../../../apimachinery/field-error.ts";
import { SelectorError, labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { enumOf, type FieldRule, fieldRules, format, type Rows, type RowsCheck } from "./field-rules.ts";
import { labelsErrors } from "./name-errors.ts";

/** The rule of labels, whose errors name the map. */
export const labels: FieldRule = (value, at) => labelsErrors(at, value as Record<string, string> | undefined);

/** The rule of the values of a requirement: their number depends on the operator. */
export const requirementValues: FieldRule = (values, at, { operator }) => {
  const count = Array.isArray(values) ? values.length : 0;
  const [some, none, one] = [count > 0, count === 0, count === 1];
  const fits = new Map(Object.entries({ In: some, NotIn: some, Exists: none, DoesNotExist: none, Gt: one, Lt: one }));
  return (fits.get(textOf(operator)) ?? true) ? [] : [invalid(at, values, "must be as many as `operator` needs")];
};

/** The rules of a label selector. */
export const selectorRules: Rows = {
  matchLabels: labels,
  "matchExpressions[]": {
    key: format("k8s-label-key"),
    operator: enumOf("In", "NotIn", "Exists", "DoesNotExist"),
    values: requirementValues,
    "values[]": format("k8s-label-value"),
  },
};

/** Returns the errors of a label selector; none if it is absent. */
export const labelSelectorErrors: RowsCheck = fieldRules(selectorRules);

/** Reports whether a selector selects everything. */
export function isEmptySelector(selector: Fields | undefined): boolean {
  return (
    Object.keys(childIf(selector, "matchLabels") ?? {}).length === 0 && items(selector, "matchExpressions").length === 0
  );
}

/** Reports whether a selector matches labels. An invalid one matches nothing: its errors are reported elsewhere. */
export function matchesSelector(selector: LabelSelector | null | undefined, labels: unknown): boolean {
  if (selector === undefined || selector === null) return false;
  try {
    return labelSelectorMatcher(selector).matches((labels ?? {}) as Record<string, string>);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
