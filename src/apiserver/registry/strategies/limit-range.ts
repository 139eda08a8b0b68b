import { randomUUID } from "node:crypto";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { compareQuantities, parseQuantity, quantityToNumber } from "../../../apimachinery/quantity.ts";
import { duplicate, forbidden, invalid, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { child, fill, items } from "../../../apimachinery/fields.ts";
import { limitsOf, type Amounts, type Limit } from "../limits/limit-range.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import type { Strategy } from "../strategy.ts";

/** What pods and claims of a namespace may use. */
export const limitRangeStrategy: Strategy = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  applyDefaults: defaultLimitRange,
  // One without a name gets one.
  prepareCreate: ({ metadata }) => void (metadata.name ||= randomUUID()),
  validate: limitRangeErrors,
};

function defaultLimitRange(range: UnstructuredObject): void {
  const spec = child(range, "spec");
  spec["limits"] ??= null;
  for (const limit of items(spec, "limits")) {
    if (limit["type"] !== "Container") continue;
    const { max = {}, min = {} } = limit as { max?: Amounts; min?: Amounts };
    const usual = { ...max, ...(limit["default"] as Amounts | undefined) };
    const requested = { ...min, ...usual, ...(limit["defaultRequest"] as Amounts | undefined) };
    if (Object.keys(usual).length > 0) fill(child(limit, "default"), usual);
    if (Object.keys(requested).length > 0) fill(child(limit, "defaultRequest"), requested);
  }
}

function limitRangeErrors(range: UnstructuredObject): FieldError[] {
  const types = new Set<string>();
  return limitsOf(range).flatMap((limit, index) => {
    const at = `spec.limits[${index}]`;
    const isAgain = types.has(limit.type);
    types.add(limit.type);
    return [
      ...typeErrors(limit.type, `${at}.type`),
      ...(isAgain ? [duplicate(`${at}.type`, limit.type)] : []),
      ...nameErrors(limit, at),
      ...otherTypeErrors(limit, at),
      ...orderErrors(limit, at),
    ];
  });
}

const knownTypes = new Set(["Container", "Pod", "PersistentVolumeClaim"]);

function typeErrors(type: string, field: string): FieldError[] {
  const errors = labelKeyErrors(field, type);
  if (errors.length > 0 || knownTypes.has(type) || type.includes("/")) return errors;
  return [invalid(field, type, "must be a standard limit type or fully qualified")];
}

const standard = /^(cpu|memory|ephemeral-storage|storage|hugepages-.+)$/;
const lists = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

function nameErrors(limit: Limit, at: string): FieldError[] {
  return lists.flatMap((list) =>
    Object.keys(limit[list] ?? {}).flatMap((name) => {
      const field = `${at}.${list}[${name}]`;
      const errors = labelKeyErrors(field, name);
      if (limit.type === "PersistentVolumeClaim" || name.includes("/") || standard.test(name)) return errors;
      return [...errors, invalid(field, name, "must be a standard resource for containers")];
    }),
  );
}

function otherTypeErrors(limit: Limit, at: string): FieldError[] {
  const { type, max = {}, min = {} } = limit;
  if (type === "PersistentVolumeClaim" && max["storage"] === undefined && min["storage"] === undefined)
    return [required(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided")];
  if (type !== "Pod") return [];
  return (["default", "defaultRequest"] as const)
    .filter((list) => Object.keys(limit[list] ?? {}).length > 0)
    .map((list) => forbidden(`${at}.${list}`, "may not be specified when `type` is 'Pod'"));
}

/** The least is not more than the most, and what is usual lies between. */
function orderErrors(limit: Limit, at: string): FieldError[] {
  const { max = {}, min = {}, default: usual = {}, defaultRequest = {}, maxLimitRequestRatio = {} } = limit;
  const names = new Set(lists.flatMap((list) => Object.keys(limit[list] ?? {})));
  return [...names].flatMap((name) => {
    const [top, low, normal, asked, ratio] = [max, min, usual, defaultRequest, maxLimitRequestRatio].map(
      (amounts) => amounts[name],
    );
    const errors: FieldError[] = [];
    const check = (
      list: string,
      shown: string | undefined,
      pair: readonly [string | undefined, string | undefined, string],
    ): void => {
      const [a, b, text] = pair;
      if (a !== undefined && b !== undefined && isAbove(a, b))
        errors.push(invalid(`${at}.${list}[${name}]`, shown, text));
    };
    check("min", low, [low, top, `min value ${low} is greater than max value ${top}`]);
    check("defaultRequest", asked, [low, asked, `min value ${low} is greater than default request value ${asked}`]);
    check("defaultRequest", asked, [asked, top, `default request value ${asked} is greater than max value ${top}`]);
    check("defaultRequest", asked, [
      asked,
      normal,
      `default request value ${asked} is greater than default limit value ${normal}`,
    ]);
    check("default", low, [low, normal, `min value ${low} is greater than default value ${normal}`]);
    check("default", top, [normal, top, `default value ${normal} is greater than max value ${top}`]);
    if (ratio !== undefined)
      errors.push(...ratioErrors(ratio, { field: `${at}.maxLimitRequestRatio[${name}]`, top, low }));
    return errors;
  });
}

interface RatioContext {
  readonly field: string;
  readonly top: string | undefined;
  readonly low: string | undefined;
}

function ratioErrors(ratio: string, { field, top, low }: RatioContext): FieldError[] {
  const number = (text: string): number => quantityToNumber(parseQuantity(text));
  if (number(ratio) < 1) return [invalid(field, ratio, `ratio ${ratio} is less than 1`)];
  if (top === undefined || low === undefined) return [];
  const most = number(top) / number(low);
  return number(ratio) > most
    ? [invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`)]
    : [];
}

function isAbove(amount: string, other: string): boolean {
  return compareQuantities(parseQuantity(amount), parseQuantity(other)) > 0;
}
