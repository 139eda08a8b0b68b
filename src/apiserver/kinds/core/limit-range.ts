import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import { tooMany } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { uniqueBy, type FieldRule } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";

/** The most resources of a quota, or of a list of a LimitRange: each is compared for every object of the namespace. */
const mostResources = 1_000;

/** Refuses more amounts than are compared with the objects of a namespace; whether they fit each other is not checked. */
const notTooMany: FieldRule = (amounts, at) => {
  const count = Object.keys(amounts ?? {}).length;
  return count > mostResources ? [tooMany(at, count, mostResources)] : [];
};

/** LimitRange. */
export const limitRange: BuiltinKind = {
  createsOnUpdate: true,
  ignoresSchema: true,
  applyDefaults(range) {
    for (const limit of limitsOf(range)) if (limit["type"] === "Container") defaultLimit(limit);
  },
  validate: kindRules({
    "spec.limits": uniqueBy("type"),
    "spec.limits[].(max|min|default|defaultRequest)": notTooMany,
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

/** ResourceQuota. */
export const resourceQuota: BuiltinKind = {
  returnsDeleted: true,
  validate: kindRules({ "spec.hard": notTooMany }),
  printer: printer("Request|Limit|Age", (object) => {
    const usage = Object.keys(mapAt(object, "status", "hard")).sort();
    const text = (name: string): string =>
      `${name}: ${textAt(object, "status", "used", name) || "0"}/${textAt(object, "status", "hard", name)}`;
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    const requests = usage.filter((name) => !isLimit(name)).map(text);
    return [requests.join(", "), usage.filter(isLimit).map(text).join(", ")];
  }),
};
