import type { ComprehensionMacro, Expression } from "../syntax/expression.ts";
import type { CelType } from "../values/types.ts";

/** The costs of creating a list, a map and an object. */
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;

/**
 * The costs of the loop that cel-go makes of a macro, in addition to its parts: for each item that counts, and for the
 * result.
 */
export const loopCosts: Readonly<Record<ComprehensionMacro, { readonly item: number; readonly result: number }>> = {
  all: { item: 3, result: 1 },
  exists: { item: 4, result: 1 },
  existsOne: { item: 2, result: 2 },
  filter: { item: listCost + 3, result: 1 },
  map: { item: listCost + 2, result: 1 },
  transformList: { item: listCost + 2, result: 1 },
  transformMap: { item: 3, result: 1 },
  transformMapEntry: { item: 2, result: 1 },
};

type SizedCost = (first: number, second: number) => number;

const whole: SizedCost = (size) => traversalCost(size);
const twice: SizedCost = (size) => traversalCost(size, 0.2);
const both: SizedCost = (a, b) => traversalCost(addCost(a, b));
const shorter: SizedCost = (a, b) => traversalCost(Math.min(a, b));
const pairs: SizedCost = (a, b) => addCost(multiplyCost(a, b), 1);
const regex: SizedCost = (text, pattern) => multiplyCost(traversalCost(addCost(text, 1)), traversalCost(pattern, 0.25));

/** Returns the cost of a call that creates a list. */
export function newListCost(size: number, factor = 1): number {
  return addCost(traversalCost(size, factor), listCost + 1);
}

/**
 * The costs that depend on nothing but the sizes of the first two arguments, by the name of a function or the signature
 * of one of its forms. They are the same for an estimate and at run time.
 */
export const sizedCosts: Readonly<Record<string, SizedCost>> = {
  ...Object.fromEntries(
    ["<", "<=", ">", ">="].flatMap((operator) =>
      ["string", "bytes"].map((type) => [`_${operator}_(${type}, ${type}): bool`, shorter]),
    ),
  ),
  "_+_(string, string): string": both,
  "_+_(bytes, bytes): bytes": both,
  "@in(A, list<A>): bool": (_item, list) => list,

  // As a global function, it costs 1 like any other: a gap in the API server's table.
  "string -> matches(string): bool": regex,
  find: regex,
  findAll: regex,
  contains: (text, part) => multiplyCost(traversalCost(text), traversalCost(part)),
  format: whole,
  lowerAscii: whole,
  upperAscii: whole,
  substring: whole,
  trim: whole,
  replace: twice,
  split: twice,
  "strings.quote": whole,
  "bytes(string): bytes": whole,
  "string(bytes): string": whole,

  reverse: (list) => newListCost(list),
  "sets.contains": pairs,
  "sets.intersects": pairs,
  "sets.equivalent": (a, b) => addCost(multiplyCost(multiplyCost(a, b), 2), 1),

  url: whole,
  cidr: whole,
  isIP: whole,
  isCIDR: whole,
  "ip(string): net.IP": whole,
  "ip.isCanonical": twice,
  quantity: whole,
  isQuantity: whole,
  semver: whole,
  isSemver: whole,
  "jsonpatch.escapeKey": whole,
  check: () => 350_000,
};

/** The cost and size of a part of an expression. */
export interface PartCost {
  /** The maximum cost of its evaluation. */
  readonly cost: number;
  readonly type: CelType;
  readonly size: SizeRange | undefined;
  /** The sizes of keys and values, or of items. */
  readonly entries?: Entries | undefined;
  /** For a field of a variable, the type in the schema, if declared; it has sizes. */
  readonly path?: { readonly type: CelType | undefined } | undefined;
  readonly expression: Expression;
}

export interface Entries {
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** The size of a string, list or map. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** The limit of counts and costs, which are 64-bit integers in the API server. */
export const mostCost: number = 2 ** 64;

export const unknownSize: SizeRange = { min: 0, max: mostCost };

export function fixedSize(size: number): SizeRange {
  return { min: size, max: size };
}

export function addSizes(a: SizeRange, b: SizeRange): SizeRange {
  return { min: addCost(a.min, b.min), max: addCost(a.max, b.max) };
}

export function multiplySizes(a: SizeRange, b: SizeRange): SizeRange {
  return { min: multiplyCost(a.min, b.min), max: multiplyCost(a.max, b.max) };
}

/** Returns the range that contains both. */
export function uniteSizes(a: SizeRange, b: SizeRange): SizeRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns the cost of traversing a value of a size, rounded up. */
export function traversalCost(size: number, factor = 0.1): number {
  return Math.min(Math.ceil(size * factor), mostCost);
}

export function addCost(...costs: readonly number[]): number {
  return Math.min(
    costs.reduce((sum, cost) => sum + cost, 0),
    mostCost,
  );
}

/** Multiplies, up to the largest cost. */
export function multiplyCost(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.min(a * b, mostCost);
}
