import { forbidden, invalid, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { childIf, items, type Fields } from "../../../apimachinery/fields.ts";
import { labelKeyErrors, labelsErrors, labelValueErrors } from "./name-errors.ts";

/** What is wrong with a selector of labels; nothing with one that is not there. */
export function labelSelectorErrors(selector: Fields | undefined, at: string): FieldError[] {
  return [
    ...labelsErrors(`${at}.matchLabels`, childIf(selector, "matchLabels") as Record<string, string> | undefined),
    ...items(selector, "matchExpressions").flatMap((requirement, index) =>
      requirementErrors(requirement, `${at}.matchExpressions[${index}]`),
    ),
  ];
}

/** Does it select everything? */
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
