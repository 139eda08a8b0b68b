import { type Fields, childIf, fill, items } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate } from "../../../apimachinery/schema/field-error.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { pathSegmentErrors } from "../rules/name-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";
import { webhookRuleErrors } from "./webhook-rule-errors.ts";

export function defaultMatchResources(match: Fields | undefined): void {
  if (!match) return;
  fill(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  for (const name of ["resourceRules", "excludeResourceRules"])
    for (const rule of items(match, name)) fill(rule, { scope: "*" });
}

const matchPolicies = ["Equivalent", "Exact"];

/** Returns the errors in the resources that a policy or binding matches; none if they are absent. */
export function matchResourcesErrors(match: Fields | undefined, at: string): FieldError[] {
  if (!match) return [];
  return [
    ...wordErrors(`${at}.matchPolicy`, match["matchPolicy"], matchPolicies),
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

const mutableOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Rejects operations that cannot be mutated. */
export function operationErrors(match: Fields | undefined, at: string): FieldError[] {
  return items(match, "resourceRules")
    .flatMap((rule) => (rule["operations"] ?? []) as string[])
    .flatMap((operation) => wordErrors(`${at}.resourceRules.operations`, operation, mutableOperations));
}
