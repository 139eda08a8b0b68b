import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import type { LabelSelector } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { SelectorError, labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { labelKeyErrors, labelValueErrors, labelsErrors } from "./name-errors.ts";

/** Returns the errors of a label selector; none if it is absent. */
export function labelSelectorErrors(selector: Fields | undefined, at: string): FieldError[] {
  return [
    ...labelsErrors(`${at}.matchLabels`, childIf(selector, "matchLabels") as Record<string, string> | undefined),
    ...items(selector, "matchExpressions").flatMap((requirement, index) =>
      requirementErrors(requirement, `${at}.matchExpressions[${index}]`),
    ),
  ];
}

/** Reports whether a selector selects everything. */
export function isEmptySelector(selector: Fields | undefined): boolean {
  return (
    Object.keys(childIf(selector, "matchLabels") ?? {}).length === 0 && items(selector, "matchExpressions").length === 0
  );
}

function requirementErrors(requirement: Fields, at: string): FieldError[] {
  const { key = "", operator = "" } = requirement as Partial<Record<string, string>>;
  const values = (requirement["values"] ?? []) as string[];
  return [
    ...operatorErrors(operator, values, at),
    ...labelKeyErrors(`${at}.key`, key),
    ...values.flatMap((value, index) => labelValueErrors(`${at}.values[${index}]`, value)),
  ];
}

function operatorErrors(operator: string, values: readonly string[], at: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${at}.operator`, operator, "not a valid selector operator")];
  }
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
