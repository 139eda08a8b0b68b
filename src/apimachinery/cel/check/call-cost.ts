import {
  addCost,
  addSizes,
  fixedSize,
  mostCost,
  multiplyCost,
  multiplySizes,
  traversalCost,
  uniteSizes,
  unknownSize,
  type SizeRange,
  newListCost,
  sizedCosts,
  type Entries,
  type PartCost,
} from "./sized-cost.ts";
import type { Overload } from "../values/overload.ts";
import type { CelType } from "../values/types.ts";

/** The cost of a call, including its arguments, and the size of its result. */
export interface CallCost {
  readonly cost: number;
  readonly size?: SizeRange | undefined;
  readonly entries?: Entries | undefined;
}

/** Returns the cost of a call: the cost of its most expensive overload. */
export function callCost(name: string, overloads: readonly Overload[], args: readonly PartCost[]): CallCost {
  const argumentCost = addCost(...args.map(({ cost }) => cost));
  if (name === "_&&_" || name === "_||_") return { cost: argumentCost };
  if (name === "_?_:_") return conditionalCost(args as [PartCost, PartCost, PartCost]);
  const forms = overloads.map((overload) => formCost(name, overload, args));
  const [first, ...rest] = forms;
  if (!first) return { cost: argumentCost };
  const largest = rest.reduce(
    (a, b): CallCost => ({
      cost: Math.max(a.cost, b.cost),
      size: a.size && b.size ? uniteSizes(a.size, b.size) : (a.size ?? b.size),
    }),
    first,
  );
  return { ...largest, entries: first.entries, cost: addCost(argumentCost, largest.cost) };
}

function conditionalCost([condition, yes, no]: [PartCost, PartCost, PartCost]): CallCost {
  const entries = yes.entries && no.entries && uniteEntries(yes.entries, no.entries);
  const size = uniteSizes(sizeOf(yes), sizeOf(no));
  return { cost: addCost(condition.cost, Math.max(yes.cost, no.cost)), size, entries };
}

type Form = (args: readonly PartCost[]) => CallCost;

const comparison: Form = ([a, b]) => {
  // A null has the size of 1.
  if (a?.type.kind === "null" || b?.type.kind === "null") return { cost: 1 };
  if (isCheap(a?.type) && a?.type.kind === b?.type.kind) return { cost: 1 };
  return { cost: traversalCost(Math.min(sizeOf(a).max, sizeOf(b).max)) };
};

/** Kubernetes charges extra for comparing formats and URLs, but not for its other types. */
function isCheap(type: CelType | undefined): boolean {
  return type?.kind === "opaque" && type.name !== "kubernetes.NamedFormat" && type.name !== "kubernetes.URL";
}

/** Scans a list and compares its items, or scans a string for string functions. */
const scan: Form = ([list]) => {
  const size = sizeOf(list).max;
  if (list?.type.kind !== "list") return { cost: traversalCost(size) };
  const { element } = list.type;
  const isLong = element.kind === "string" || element.kind === "bytes";
  return { cost: multiplyCost(size, 1 + (isLong ? traversalCost(itemSizeOf(list).max) : 0)) };
};

/** Returns the cost and size of a new list. */
function newList(size: SizeRange, factor = 1): CallCost {
  return { cost: newListCost(size.max, factor), size };
}

const sort: Form = (args) => {
  const keys = args.at(-1);
  const kind = keys?.type.kind === "list" ? keys.type.element.kind : "dyn";
  const size = sizeOf(keys);
  const squared = multiplySizes(size, size);
  return newList(squared, kind === "string" || kind === "bytes" ? 2.1 : 2);
};

/** The estimates that depend on more than sizes. */
const forms: Readonly<Record<string, Form>> = {
  "_==_": comparison,
  "_!=_": comparison,
  startsWith: ([, part]) => ({ cost: traversalCost(sizeOf(part).max) }),
  endsWith: ([, part]) => ({ cost: traversalCost(sizeOf(part).max) }),
  join: ([list, separator]) => {
    const count = sizeOf(list);
    const items = multiplySizes(count, itemSizeOf(list));
    const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    const size = separator ? addSizes(items, multiplySizes(sizeOf(separator), gaps)) : items;
    return { cost: traversalCost(size.max), size };
  },
  isSorted: scan,
  sum: scan,
  min: scan,
  max: scan,
  indexOf: scan,
  lastIndexOf: scan,
  slice: ([list, start, end]) => {
    const [from, to] = [integerOf(start) ?? 0, integerOf(end) ?? sizeOf(list).max];
    return newList(fixedSize(Math.max(0, to - from)));
  },
  "lists.range": ([count]) => newList(fixedSize(integerOf(count) ?? mostCost)),
  flatten: ([list, depth]) => newList(sizeOf(list), depth ? (integerOf(depth) ?? mostCost) : 1),
  distinct: ([list]) => newList(multiplySizes(sizeOf(list), sizeOf(list)), 2),
  sort,
  "@sortByAssociatedKeys": sort,
  containsIP: ([, other]) => ({
    cost: 4 + (other?.type.kind === "string" ? traversalCost(sizeOf(other).max) : 0),
  }),
  containsCIDR: ([, other]) => ({
    cost: 7 + (other?.type.kind === "string" ? traversalCost(sizeOf(other).max) : 0),
  }),
  // The longest expression of a format has 128 characters.
  validate: ([, text]) => ({ cost: multiplyCost(traversalCost(sizeOf(text).max), 32) }),
};

type ResultSize = (args: readonly PartCost[]) => SizeRange;

const kept: ResultSize = ([text]) => sizeOf(text);
const part: ResultSize = ([text]) => ({ min: 0, max: sizeOf(text).max });
const sum: ResultSize = ([a, b]) => addSizes(sizeOf(a), sizeOf(b));

/** The sizes of results, by the names and signatures of `sizedCosts`. */
const resultSizes: Readonly<Record<string, ResultSize>> = {
  "_+_(string, string): string": sum,
  "_+_(bytes, bytes): bytes": sum,
  "_+_(list<A>, list<A>): list<A>": sum,
  find: part,
  findAll: part,
  lowerAscii: kept,
  upperAscii: kept,
  substring: kept,
  trim: kept,
  replace: ([text, from, to]) => replacedSize(sizeOf(text), sizeOf(from), sizeOf(to)),
  split: ([text, , most]) => {
    const limit = integerOf(most);
    return { min: 0, max: limit === undefined ? sizeOf(text).max : limit < 0 ? mostCost : limit };
  },
  "strings.quote": ([text]) => {
    const { min, max } = sizeOf(text);
    return { min: min + 2, max: addCost(max, max, 2) };
  },
  "bytes(string): bytes": ([text]) => ({ min: sizeOf(text).min, max: multiplyCost(sizeOf(text).max, 4) }),
  "string(bytes): string": kept,
  reverse: kept,
  url: kept,
};

function formCost(name: string, { signature }: Overload, args: readonly PartCost[]): CallCost {
  const form = forms[name];
  if (form) return form(args);
  const sized = sizedCosts[signature] ?? sizedCosts[name];
  const [a, b] = args;
  return {
    cost: sized ? sized(sizeOf(a).max, sizeOf(b).max) : 1,
    size: (resultSizes[signature] ?? resultSizes[name])?.(args),
    entries: name === "_+_" && a?.entries && b?.entries ? uniteEntries(a.entries, b.entries) : undefined,
  };
}

function sizeOf(part: PartCost | undefined): SizeRange {
  return part?.size ?? unknownSize;
}

/** Returns the declared size of an item, which may differ from the size of the expression. */
function itemSizeOf(list: PartCost | undefined): SizeRange {
  const declared = list?.path?.type;
  return declared?.kind === "list" ? { min: 0, max: declared.element.size ?? 0 } : unknownSize;
}

function integerOf(part: PartCost | undefined): number | undefined {
  const value = part?.expression.kind === "literal" ? part.expression.value : undefined;
  return typeof value === "bigint" ? Number(value) : undefined;
}

function uniteEntries(a: Entries, b: Entries): Entries {
  return { key: uniteSizes(a.key, b.key), value: uniteSizes(a.value, b.value) };
}

/** Returns the maximum size after replacing: short parts replaced by long ones, as often as they fit. */
function replacedSize(text: SizeRange, from: SizeRange, to: SizeRange): SizeRange {
  if (from.min === 0) return { min: 0, max: addCost(multiplyCost(addCost(text.max, 1), to.max), text.max) };
  if (to.max <= from.min) return { min: 0, max: text.max };
  return { min: 0, max: multiplyCost(Math.ceil(text.max / from.min), to.max) };
}
