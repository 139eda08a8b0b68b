import { childIf, items, textOf, type Fields } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { compareQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";
import { invalid, required, tooMany, type FieldError } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt, textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";
import {
  isCounted,
  isExtended,
  isStandardQuotaName,
  mostResources,
  quotaNameErrors,
} from "../rules/resource-name-errors.ts";

/** ResourceQuota. */
export const resourceQuota: BuiltinKind = {
  returnsDeleted: true,
  validate(quota, old, subresource) {
    if (subresource === "status") return ["hard", "used"].flatMap((part) => amountErrors(quota, "status", part));
    return [
      ...amountErrors(quota, "spec", "hard"),
      ...scopesErrors(quota, textsAt(quota, "spec", "scopes")),
      ...selectorErrors(childIf(childIf(quota, "spec"), "scopeSelector"), quota),
      ...immutable(quota, old, ["spec.scopes"]),
    ];
  },
  printer: printer("Request|Limit|Age", (object, now) => {
    const usage = Object.keys(mapAt(object, "status", "hard")).sort();
    const text = (name: string): string =>
      `${name}: ${textAt(object, "status", "used", name) || "0"}/${textAt(object, "status", "hard", name)}`;
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    const requests = usage.filter((name) => !isLimit(name)).map(text);
    return [requests.join(", "), usage.filter(isLimit).map(text).join(", "), creationAge(object, now)];
  }),
};

function amountErrors(quota: UnstructuredObject, part: "spec" | "status", list: string): FieldError[] {
  const amounts = Object.entries(mapAt(quota, part, list));
  if (amounts.length > mostResources) return [tooMany(`${part}.${list}`, amounts.length, mostResources)];
  return amounts.flatMap(([name, value]) => {
    const text = String(value);
    const field = `${part}.${list}[${name}]`;
    const isNegative = compareQuantities(parseQuantity(text), parseQuantity("0")) < 0;
    const isPart = (isCounted(name) || isExtended(name)) && text.endsWith("m");
    return [
      ...quotaNameErrors(field, name),
      ...(isNegative ? [invalid(field, text, "must be greater than or equal to 0")] : []),
      ...(isPart ? [invalid(field, text, "must be an integer")] : []),
    ];
  });
}

const ofPods = ["pods"];
const ofPodsAndCompute = [
  ...ofPods,
  ...["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
];
const ofVolumes = ["persistentvolumeclaims", "requests.storage"];

/** The scopes, and the standard resources to which they apply. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  BestEffort: ofPods,
  NotBestEffort: ofPodsAndCompute,
  Terminating: ofPodsAndCompute,
  NotTerminating: ofPodsAndCompute,
  PriorityClass: ofPodsAndCompute,
  CrossNamespacePodAffinity: ofPodsAndCompute,
  VolumeAttributesClass: ofVolumes,
};
/** The scopes that a selector names without values. */
const withoutValues = ["Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity"];

const conflicting = ["BestEffort", "Terminating"];

function scopesErrors(quota: Fields, names: readonly string[]): FieldError[] {
  const field = "spec.scopes";
  const conflicts = conflicting.filter((scope) => names.includes(scope) && names.includes(`Not${scope}`));
  return [
    ...names.flatMap((name) => scopeErrors(quota, name).map((why) => invalid(field, names, why))),
    ...conflicts.map(() => invalid(field, names, "conflicting scopes")),
  ];
}

function scopeErrors(quota: Fields, scope: string): string[] {
  // The schema reports an unknown scope.
  const resources = scopes[scope];
  if (!resources) return [];
  const counted = Object.keys(mapAt(quota, "spec", "hard")).filter(isStandardQuotaName);
  return counted.filter((name) => !resources.includes(name)).map(() => "unsupported scope applied to resource");
}

const onlyExists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function selectorErrors(selector: Fields | undefined, quota: Fields): FieldError[] {
  const at = "spec.scopeSelector.matchExpressions";
  return items(selector, "matchExpressions").flatMap(({ scopeName, operator, values = [] }) => {
    const scope = textOf(scopeName);
    if (withoutValues.includes(scope) && operator !== "Exists")
      return [invalid(`${at}.operator`, operator, onlyExists)];
    return [
      ...scopeErrors(quota, scope).map((why) => invalid(`${at}.scopeName`, scope, why)),
      ...valueErrors(operator, values as string[], at),
    ];
  });
}

function valueErrors(operator: unknown, values: readonly string[], at: string): FieldError[] {
  const some = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
  const none = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
  if (operator === "In" || operator === "NotIn") return values.length > 0 ? [] : [required(`${at}.values`, some)];
  if (operator === "Exists" || operator === "DoesNotExist")
    return values.length === 0 ? [] : [invalid(`${at}.values`, values, none)];
  return [];
}
