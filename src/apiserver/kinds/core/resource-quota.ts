import { textOf, type Fields } from "../../../apimachinery/fields.ts";
import { compareQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";
import { invalid, tooMany } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { type FieldRule, fieldRules, must } from "../rules/field-rules.ts";
import { requirementValues } from "../rules/label-selector-errors.ts";
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
  validate: (quota, old, subresource) =>
    subresource === "status" ? statusErrors(quota) : [...quotaErrors(quota), ...immutable(quota, old, ["spec.scopes"])],
  printer: printer("Request|Limit|Age", (object) => {
    const usage = Object.keys(mapAt(object, "status", "hard")).sort();
    const text = (name: string): string =>
      `${name}: ${textAt(object, "status", "used", name) || "0"}/${textAt(object, "status", "hard", name)}`;
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    const requests = usage.filter((name) => !isLimit(name)).map(text);
    return [requests.join(", "), usage.filter(isLimit).map(text).join(", ")];
  }),
};

/** Checks amounts of resources. */
const amounts: FieldRule = (value, at) => {
  const found = Object.entries((value ?? {}) as Fields);
  if (found.length > mostResources) return [tooMany(at, found.length, mostResources)];
  return found.flatMap(([name, amount]) => {
    const text = String(amount);
    const field = `${at}[${name}]`;
    const isPart = (isCounted(name) || isExtended(name)) && text.endsWith("m");
    const isWrong = isPart || compareQuantities(parseQuantity(text), parseQuantity("0")) < 0;
    return [
      ...quotaNameErrors(field, name),
      ...(isWrong ? [invalid(field, text, `must be ${isPart ? "an integer" : "greater than or equal to 0"}`)] : []),
    ];
  });
};

const statusErrors = fieldRules({ "status.(hard|used)": amounts });

const ofPods = ["pods"];
const ofPodsAndCompute = [
  ...ofPods,
  ...["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
];

/** The scopes that a selector names without values. */
const withoutValues = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];

/** The scopes, and the standard resources to which they apply. */
const resourcesOf = new Map<unknown, readonly string[]>([
  ...["PriorityClass", ...withoutValues].map((scope) => [scope, ofPodsAndCompute] as const),
  ["BestEffort", ofPods],
  ["VolumeAttributesClass", ["persistentvolumeclaims", "requests.storage"]],
]);

/** Reports whether a scope applies to all resources of a quota. The schema reports an unknown one. */
function isOfScope(scope: unknown, quota: Fields): boolean {
  const resources = resourcesOf.get(scope);
  const names = Object.keys(mapAt(quota, "spec", "hard")).filter(isStandardQuotaName);
  return !resources || names.every((name) => resources.includes(name));
}

/** Checks the requirements of a selector. Their errors do not name the item. */
const requirements: FieldRule = (list, at, _selector, quota) =>
  (Array.isArray(list) ? (list as Fields[]) : []).flatMap(({ scopeName, operator, values }) => {
    if (withoutValues.includes(textOf(scopeName)) && operator !== "Exists")
      return [invalid(`${at}.operator`, operator, "must be 'Exists'")];
    return [
      ...(isOfScope(scopeName, quota) ? [] : [invalid(`${at}.scopeName`, scopeName, unfit)]),
      ...requirementValues(values, `${at}.values`, { operator }, quota),
    ];
  });

const unfit = "unsupported scope applied to resource";

const quotaErrors = fieldRules({
  "spec.hard": amounts,
  "spec.scopes": [
    must((scopes: string[], _spec, quota) => scopes.every((scope) => isOfScope(scope, quota)), unfit),
    must(
      (scopes: string[]) =>
        !["BestEffort", "Terminating"].some((scope) => scopes.includes(scope) && scopes.includes(`Not${scope}`)),
      "must not be opposites",
    ),
  ],
  "spec.scopeSelector.matchExpressions": requirements,
});
