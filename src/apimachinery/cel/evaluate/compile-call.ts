import type { Call } from "../syntax/expression.ts";
import { CelError } from "../values/issue.ts";
import type { Overload } from "../values/overload.ts";
import { CelOptional, isOfType, type CelValue, type Outcome, CelOpaque } from "../values/values.ts";
import { noSuchOverload, type Evaluate } from "./comprehend.ts";
import { traversalCost, listCost, newListCost, sizedCosts, structCost } from "../check/sized-cost.ts";
import { patternLengths } from "../functions/named-formats.ts";
import { sizeOf, treeCost } from "../values/equal-values.ts";

/** Compiles an index. An optional one only counts if there is a value. */
export function compileIndex(read: Evaluate, key: Evaluate, { name }: Call, overloads: readonly Overload[]): Evaluate {
  return (scope, meter) => {
    const from = read(scope, meter);
    if (from instanceof CelError || (from instanceof CelOptional && from.value === undefined)) return from;
    const at = key(scope, meter);
    const found = at instanceof CelError ? at : run(overloads, [from, at]);
    const isOptional = name === "_[?_]" || from instanceof CelOptional;
    if (!isOptional || (found instanceof CelOptional && found.value !== undefined)) meter.charge(1);
    return found;
  };
}

export function compileCondition(test: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return (scope, meter) => {
    const value = test(scope, meter);
    if (typeof value === "boolean") return value ? yes(scope, meter) : no(scope, meter);
    return value instanceof CelError ? value : noSuchOverload();
  };
}

/** Compiles `&&` or `||`: a deciding operand wins over an error in the other one. */
export function compileJunction(left: Evaluate, right: Evaluate, decisive: boolean): Evaluate {
  return (scope, meter) => {
    const a = left(scope, meter);
    if (a === decisive) return a;
    const b = right(scope, meter);
    if (b === decisive) return b;
    const odd = typeof a === "boolean" ? b : a;
    if (typeof odd === "boolean") return !decisive;
    return odd instanceof CelError ? odd : noSuchOverload();
  };
}

export function compileFirstPresent(optional: Evaluate, other: Evaluate, isValue: boolean): Evaluate {
  return (scope, meter) => {
    const value = optional(scope, meter);
    if (value instanceof CelError) return value;
    if (!(value instanceof CelOptional)) return noSuchOverload();
    if (value.value === undefined) return other(scope, meter);
    return isValue ? value.value : value;
  };
}

/** Compiles a call. It counts even if an argument is an error, unless it ends before the last one. */
export function compileCall(
  parts: readonly Evaluate[],
  overloads: readonly Overload[],
  { price, endsEarly = false }: { readonly price: CallPrice; readonly endsEarly?: boolean },
): Evaluate {
  return (scope, meter) => {
    const args: Outcome[] = [];
    let failed: CelError | undefined;
    for (const part of parts) {
      const value = part(scope, meter);
      args.push(value);
      if (value instanceof CelError) failed ??= value;
      if (failed && endsEarly) break;
    }
    if (args.length === parts.length)
      meter.charge(typeof price === "number" ? price : price(args[0], args[1], args[2]));
    return failed ?? run(overloads, args);
  };
}

function run(overloads: readonly Overload[], args: readonly CelValue[]): Outcome {
  for (const overload of overloads) {
    if (!fits(overload, args)) continue;
    try {
      return overload.run(...(args as never[]));
    } catch (error) {
      return errorOf(error);
    }
  }
  return noSuchOverload();
}

function fits({ parameters }: Overload, args: readonly CelValue[]): boolean {
  for (let at = 0; at < parameters.length; at++) if (!isOfType(args[at]!, parameters[at]!)) return false;
  return true;
}

/** Returns an error of an evaluation; throws others. */
export function errorOf(error: unknown): CelError {
  if (error instanceof CelError) return error;
  throw error;
}

/** The cost of a call, which can depend on its first arguments. They can be errors: cel-go counts calls that fail, too. */
type CallPrice = number | Price;

type Argument = Outcome | undefined;
type Price = (first: Argument, second: Argument, third: Argument) => number;

/** Returns the cost of a call at run time. Without a form that fits alone, cel-go only knows the name. */
export function callPrice(name: string, overloads: readonly Overload[]): CallPrice {
  const [only] = overloads.length === 1 ? overloads : [];
  const own = prices[name];
  if (own) return only || !needsForm.has(name) ? own : 1;
  const sized = (only && sizedCosts[only.signature]) ?? sizedCosts[name];
  return sized ? (first, second) => sized(sizeOf(first), sizeOf(second)) : 1;
}

const scan: Price = (value) => treeCost(value);
const ofText: Price = (text) => traversalCost(sizeOf(text));
const comparison: Price = (a, b) => traversalCost(shorterOf(a, b));

const needsForm: ReadonlySet<string> = new Set(["sort", "@sortByAssociatedKeys"]);

/** The costs that differ from the estimated ones, or depend on more than sizes. */
const prices: Readonly<Record<string, Price>> = {
  "_==_": (a, b) => (a instanceof CelOpaque ? 1 : traversalCost(shorterOf(a, b))),
  "_!=_": comparison,
  startsWith: ofText,
  endsWith: ofText,
  join: (list, separator) => traversalCost(sizeOfJoined(list, separator), 0.2),
  isSorted: scan,
  sum: scan,
  min: scan,
  max: scan,
  indexOf: scan,
  lastIndexOf: scan,
  slice: (list, start, end) => newListCost(isRange(list, start, end) ? Number(end) - Number(start) : 1),
  "lists.range": (count) => newListCost(typeof count === "bigint" ? Math.max(0, Number(count)) : 1),
  flatten: (list, depth) => newListCost(sizeOf(list), typeof depth === "bigint" ? Number(depth) : 1),
  distinct: comparedWithItself,
  sort: comparedWithItself,
  "@sortByAssociatedKeys": (_list, keys) => comparedWithItself(keys),
  containsIP: (network, other) => traversalCost(2 * sizeOf(network)) + parsing(other),
  containsCIDR: (network, other) =>
    traversalCost(2 * sizeOf(network)) + traversalCost(sizeOf(network)) + 1 + parsing(other),
  validate: (format, text) =>
    format instanceof CelOpaque
      ? traversalCost(sizeOf(text) + 1) * traversalCost(patternLengths[format.key]!, 0.25)
      : 1,
  fieldSelector: selectorCost,
  labelSelector: selectorCost,
};

/** Returns the size of the shorter value. It counts a text only if the other one may be longer. */
function shorterOf(a: Argument, b: Argument): number {
  const size = sizeOf(a);
  if (typeof b === "string" && b.length >= 2 * size) return size;
  return Math.min(size, sizeOf(b));
}

function sizeOfJoined(list: Argument, separator: Argument): number {
  if (!isList(list) || separator instanceof CelError || list.some((item) => typeof item !== "string")) return 1;
  const gaps = separator === undefined ? 0 : Math.max(0, list.length - 1) * sizeOf(separator);
  return list.reduce<number>((sum, item) => sum + sizeOf(item), gaps);
}

function isList(value: Argument): value is readonly CelValue[] {
  return Array.isArray(value);
}

function isRange(list: Argument, start: Argument, end: Argument): boolean {
  if (typeof start !== "bigint" || typeof end !== "bigint") return false;
  return start >= 0n && start <= end && end <= BigInt(sizeOf(list));
}

/** Returns the cost of comparing each item of a list with each other. */
function comparedWithItself(list: Argument): number {
  const first = isList(list) ? list[0] : undefined;
  const isLong = typeof first === "string" || first instanceof Uint8Array;
  return listCost + 1 + Math.floor(sizeOf(list) ** 2 * (isLong ? 2.1 : 2));
}

/** An address or network in a text is parsed first. */
function parsing(other: Argument): number {
  return typeof other === "string" ? traversalCost(sizeOf(other)) : 0;
}

/** Every two characters of a selector can be a requirement, which is an object with a list. */
function selectorCost(_check: Argument, selector: Argument): number {
  const size = sizeOf(selector);
  return listCost + traversalCost(size) + traversalCost(size, 0.5) * (listCost + structCost);
}
