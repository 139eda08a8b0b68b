import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityToNumber,
  type ParsedQuantity,
} from "../../../apimachinery/quantity.ts";
import { parseResources } from "../../../apimachinery/resource-list.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  required,
  tooMany,
} from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import {
  containerResourceErrors,
  isOvercommitted,
  mostResources,
  resourceNameErrors,
} from "../rules/resource-name-errors.ts";

/** LimitRange. */
export const limitRange: BuiltinKind = {
  createsOnUpdate: true,
  ignoresSchema: true,
  applyDefaults(range) {
    for (const limit of limitsOf(range)) if (limit["type"] === "Container") defaultLimit(limit);
  },
  validate(range) {
    const types = limitsOf(range).map(({ type }) => textOf(type));
    return limitsOf(range).flatMap((limit, index) => {
      const at = `spec.limits[${index}]`;
      const isRepeated = types.indexOf(types[index]!) < index;
      return [
        ...typeErrors(`${at}.type`, types[index]!),
        ...(isRepeated ? [duplicate(`${at}.type`, types[index])] : []),
        ...limitErrors(limit, types[index]!, at),
      ];
    });
  },
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

function limitErrors(limit: Fields, type: string, at: string): FieldError[] {
  const isOfPods = type === "Pod";
  const checkName = isOfPods || type === "Container" ? containerResourceErrors : resourceNameErrors;
  const lists = ["max", "min", ...(isOfPods ? [] : ["default", "defaultRequest"]), "maxLimitRequestRatio"];
  const amounts = lists.map((list) => [list, parseResources(childIf(limit, list))] as const);
  const names = new Set(amounts.flatMap(([, list]) => [...list.keys()]));
  if (names.size > mostResources) return [tooMany(at, names.size, mostResources)];
  const bounds = amounts.filter(([list]) => list === "min" || list === "max");
  const lacksSize = type === "PersistentVolumeClaim" && !bounds.some(([, found]) => found.has("storage"));
  return [
    ...amounts.flatMap(([list, found]) =>
      [...found.keys()].flatMap((name) => checkName(`${at}.${list}[${name}]`, name)),
    ),
    ...(isOfPods ? defaultsOfPods(limit, at) : []),
    ...(lacksSize ? [required(`${at}.limits`, noSize)] : []),
    ...[...names].flatMap((name) => {
      const of = Object.fromEntries(amounts.map(([list, found]) => [list, found.get(name)]));
      return orderErrors(name, of, at);
    }),
  ];
}

const noSize = "either minimum or maximum storage value is required, but neither was provided";

function defaultsOfPods(limit: Fields, at: string): FieldError[] {
  return ["default", "defaultRequest"]
    .filter((list) => Object.keys(childIf(limit, list) ?? {}).length > 0)
    .map((list) => forbidden(`${at}.${list}`, "may not be specified when `type` is 'Pod'"));
}

/** The limits of an entry for one resource. */
interface Amounts {
  readonly min?: ParsedQuantity | undefined;
  readonly max?: ParsedQuantity | undefined;
  readonly default?: ParsedQuantity | undefined;
  readonly defaultRequest?: ParsedQuantity | undefined;
  readonly maxLimitRequestRatio?: ParsedQuantity | undefined;
}

/** Returns the errors of amounts that are larger than those that they must fit. */
function orderErrors(name: string, amounts: Amounts, at: string): FieldError[] {
  const { min, max, default: limit, defaultRequest: request } = amounts;
  /** Compares two amounts that are called so in the message. */
  const order = (
    list: string,
    [small, smallName]: Named,
    [large, largeName, shown = large]: readonly [...Named, shown?: ParsedQuantity | undefined],
  ): FieldError[] => {
    if (!small || !large || compareQuantities(small, large) <= 0) return [];
    const why = `${smallName} ${formatQuantity(small)} is greater than ${largeName} ${formatQuantity(large)}`;
    return [invalid(`${at}.${list}[${name}]`, formatQuantity(shown!), why)];
  };
  return [
    ...order("min", [min, "min value"], [max, "max value", min]),
    ...order("defaultRequest", [min, "min value"], [request, "default request value"]),
    ...order("defaultRequest", [request, "default request value"], [max, "max value", request]),
    ...order("defaultRequest", [request, "default request value"], [limit, "default limit value", request]),
    ...order("default", [min, "min value"], [limit, "default value", min]),
    ...order("default", [limit, "default value"], [max, "max value"]),
    ...ratioErrors(`${at}.maxLimitRequestRatio[${name}]`, amounts),
    ...sameErrors(`${at}.defaultRequest[${name}]`, name, amounts),
  ];
}

type Named = readonly [amount: ParsedQuantity | undefined, name: string];

function ratioErrors(field: string, { min, max, maxLimitRequestRatio: ratio }: Amounts): FieldError[] {
  if (!ratio) return [];
  const text = formatQuantity(ratio);
  const isSmall = compareQuantities(ratio, parseQuantity("1")) < 0;
  const most = min && max ? quantityToNumber(max) / quantityToNumber(min) : Infinity;
  const shown = Number.isFinite(most) ? most.toFixed(6) : "+Inf";
  return [
    ...(isSmall ? [invalid(field, text, `ratio ${text} is less than 1`)] : []),
    ...(quantityToNumber(ratio) > most
      ? [invalid(field, text, `ratio ${text} is greater than max/min = ${shown}`)]
      : []),
  ];
}

/** A resource that a node cannot promise twice has equal requests and limits. */
function sameErrors(field: string, name: string, { default: limit, defaultRequest: request }: Amounts): FieldError[] {
  if (isOvercommitted(name) || !limit || !request || compareQuantities(limit, request) === 0) return [];
  const [limitText, text] = [formatQuantity(limit), formatQuantity(request)];
  return [invalid(field, text, `default value ${limitText} must equal to defaultRequest value ${text} in ${name}`)];
}
