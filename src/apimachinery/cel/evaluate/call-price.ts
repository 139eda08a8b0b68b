import { traversalCost } from "../check/cost-size.ts";
import { listCost, newListCost, sizedCosts, structCost } from "../check/sized-cost.ts";
import { patternLengths } from "../functions/named-formats.ts";
import { CelError } from "../values/issue.ts";
import type { Overload } from "../values/overload.ts";
import { sizeOf, treeCost } from "../values/value-size.ts";
import { CelOpaque, type CelValue, type Outcome } from "../values/values.ts";

/** The cost of a call, which can depend on its first arguments. They can be errors: cel-go counts calls that fail, too. */
export type CallPrice = number | Price;

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
