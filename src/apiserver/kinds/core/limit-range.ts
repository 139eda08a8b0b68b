import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
} from "../../../apimachinery/quantity.ts";
import { parseResources } from "../../../apimachinery/resource-list.ts";
import { type FieldError, forbidden, invalid, required, tooMany } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { uniqueBy, type FieldRule, fieldRules } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import {
  containerResourceErrors,
  isOvercommitted,
  mostResources,
  resourceNameErrors,
  isCounted,
  isExtended,
  quotaNameErrors,
} from "../rules/resource-rules.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";

/** LimitRange. */
export const limitRange: BuiltinKind = {
  createsOnUpdate: true,
  ignoresSchema: true,
  applyDefaults(range) {
    for (const limit of limitsOf(range)) if (limit["type"] === "Container") defaultLimit(limit);
  },
  validate: kindRules({
    "spec.limits": uniqueBy("type"),
    "spec.limits[]": {
      ".": (limit, at) => limitErrors(limit as Fields, at),
      type: (type, at) => typeErrors(at, textOf(type)),
    },
  }),
};

function limitsOf(range: Fields): Fields[] {
  return items(childIf(range, "spec"), "limits");
}

/** Sets the default limits to the maximum, and the default requests to the default limits or to the minimum. */
function defaultLimit(limit: Fields): void {
  const amounts = (name: string): Fields => childIf(limit, name) ?? {};
  const limits = { ...amounts("max"), ...amounts("default") };
  const requests = { ...amounts("min"), ...limits, ...amounts("defaultRequest") };
  if (Object.keys(limits).length > 0) limit["default"] = limits;
  if (Object.keys(requests).length > 0) limit["defaultRequest"] = requests;
}

const standardTypes = ["Pod", "Container", "PersistentVolumeClaim"];

function typeErrors(field: string, type: string): FieldError[] {
  const errors = labelKeyErrors(field, type);
  if (errors.length > 0 || type.includes("/") || standardTypes.includes(type)) return errors;
  return [invalid(field, type, "must be a standard limit type or fully qualified")];
}

function limitErrors(limit: Fields, at: string): FieldError[] {
  const type = textOf(limit["type"]);
  const isOfPods = type === "Pod";
  const checkName = isOfPods || type === "Container" ? containerResourceErrors : resourceNameErrors;
  const defaults = ["default", "defaultRequest"];
  const lists = ["max", "min", ...(isOfPods ? [] : defaults), "maxLimitRequestRatio"];
  const amounts = new Map(lists.map((list) => [list, parseResources(childIf(limit, list))]));
  const names = new Set([...amounts.values()].flatMap((list) => [...list.keys()]));
  if (names.size > mostResources) return [tooMany(at, names.size, mostResources)];
  const lacksSize =
    type === "PersistentVolumeClaim" && !["min", "max"].some((list) => amounts.get(list)?.has("storage"));
  return [
    ...lists.flatMap((list) =>
      [...(amounts.get(list)?.keys() ?? [])].flatMap((name) => checkName(`${at}.${list}[${name}]`, name)),
    ),
    ...defaults
      .filter((list) => isOfPods && Object.keys(childIf(limit, list) ?? {}).length > 0)
      .map((list) => forbidden(`${at}.${list}`, "may not be specified when `type` is 'Pod'")),
    ...(lacksSize ? [required(`${at}.limits`, "either minimum or maximum storage value is required")] : []),
    ...[...names].flatMap((name) => orderErrors(name, (list) => amounts.get(list)?.get(name), at)),
  ];
}

/** Lists whose amounts must not be above those of another one, and the list that is wrong then. */
const orders = [
  ["min", "max", "min"],
  ["min", "defaultRequest", "defaultRequest"],
  ["defaultRequest", "max", "defaultRequest"],
  ["defaultRequest", "default", "defaultRequest"],
  ["min", "default", "default"],
  ["default", "max", "default"],
] as const;

/** Returns the errors of the amounts of a resource that do not fit each other. */
function orderErrors(name: string, amountIn: (list: string) => ParsedQuantity | undefined, at: string): FieldError[] {
  const refuse = (list: string, why: string): FieldError =>
    invalid(`${at}.${list}[${name}]`, formatQuantity(amountIn(list)!), why);
  const [limit, request] = ["default", "defaultRequest"].map(amountIn);
  const isSame = isOvercommitted(name) || !limit || !request || compareQuantities(limit, request) === 0;
  return [
    ...orders.flatMap(([small, large, list]) => {
      const [a, b] = [amountIn(small), amountIn(large)];
      return a && b && compareQuantities(a, b) > 0 ? [refuse(list, `${small} must not be above ${large}`)] : [];
    }),
    // A node cannot promise such a resource twice.
    ...(isSame ? [] : [refuse("defaultRequest", `must be the default value of ${name}`)]),
  ];
}

/** ResourceQuota. */
export const resourceQuota: BuiltinKind = {
  returnsDeleted: true,
  validate: (quota) => quotaErrors(quota),
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

const quotaErrors = fieldRules({ "spec.hard": amounts });
