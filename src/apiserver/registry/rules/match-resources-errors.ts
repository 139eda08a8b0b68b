import { duplicate, notSupported, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { childIf, items, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { labelSelectorErrors } from "./label-selector-errors.ts";
import { pathSegmentErrors } from "./name-errors.ts";
import { webhookRuleErrors } from "./webhook-rule-errors.ts";

const matchPolicies = ["Equivalent", "Exact"];

/** What is wrong with what a policy or binding is for; nothing with one that is not there. */
export function matchResourcesErrors(match: Fields | undefined, at: string): FieldError[] {
  if (!match) return [];
  const { matchPolicy } = match;
  return [
    ...(matchPolicies.includes(textOf(matchPolicy))
      ? []
      : [notSupported(`${at}.matchPolicy`, matchPolicy, matchPolicies)]),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      labelSelectorErrors(childIf(match, name), `${at}.${name}`),
    ),
    ...["resourceRules", "excludeResourceRules"].flatMap((name) =>
      items(match, name).flatMap((rule, index) => namedRuleErrors(rule, `${at}.${name}[${index}]`)),
    ),
  ];
}

function namedRuleErrors(rule: Fields, at: string): FieldError[] {
  const names = (rule["resourceNames"] ?? []) as string[];
  return [
    ...names.flatMap((name, index) => [
      ...pathSegmentErrors(`${at}.resourceNames[${index}]`, name),
      ...(names.indexOf(name) < index ? [duplicate(`${at}.resourceNames[${index}]`, name)] : []),
    ]),
    ...webhookRuleErrors(rule, at),
  ];
}
