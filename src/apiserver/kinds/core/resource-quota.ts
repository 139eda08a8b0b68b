import { compareQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";
import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** ResourceQuota. */
export const resourceQuota: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  validate: (quota) => hardErrors(mapAt(quota, "spec", "hard")),
  idle: "nothing is counted or refused here",
  printer: printer("Request|Limit|Age", (object, now) => {
    const usage = Object.keys(mapAt(object, "status", "hard")).sort();
    const text = (name: string): string =>
      `${name}: ${textAt(object, "status", "used", name) || "0"}/${textAt(object, "status", "hard", name)}`;
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    const requests = usage.filter((name) => !isLimit(name)).map(text);
    return [requests.join(", "), usage.filter(isLimit).map(text).join(", "), creationAge(object, now)];
  }),
};

/** Resources that are counted in whole objects. */
const counted = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
]);

function hardErrors(hard: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(hard).flatMap(([name, value]) => {
    const text = String(value);
    const field = `spec.hard[${name}]`;
    const isNegative = compareQuantities(parseQuantity(text), parseQuantity("0")) < 0;
    const isPart = counted.has(name) && text.endsWith("m");
    return [
      ...(isNegative ? [invalid(field, text, "must be greater than or equal to 0")] : []),
      ...(isPart ? [invalid(field, text, "must be an integer")] : []),
    ];
  });
}
