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
} from "./cost-size.ts";

import type { Overload } from "../values/overload.ts";
import type { Entries, PartCost } from "./part-cost.ts";
import type { CelType } from "../values/types.ts";

/** The cost of a call, including its arguments, and the size of its result. */
export interface CallCost {
  readonly cost: number;
  readonly size?: SizeRange | undefined;
  readonly entries?: Entries | undefined;
}

/** Returns the cost of a call: that of its most expensive overload. */
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

type Form = (args: readonly PartCost[], overload: Overload) => CallCost;

const whole: Form = ([text]) => ({ cost: traversalCost(sizeOf(text)) });
const wholeKept: Form = ([text]) => ({ cost: traversalCost(sizeOf(text)), size: sizeOf(text) });

const comparison: Form = ([a, b], { parameters }) => {
  const isLong = ["string", "bytes", "parameter"].includes(parameters[0]?.kind ?? "");
  // A null has the size of 1.
  if (a?.type.kind === "null" || b?.type.kind === "null") return { cost: 1 };
  if (!isLong || (isCheap(a?.type) && a?.type.kind === b?.type.kind)) return { cost: 1 };
  return { cost: traversalCost({ min: 0, max: Math.min(sizeOf(a).max, sizeOf(b).max) }) };
};

/** Kubernetes charges extra for comparing formats and URLs, but not for its other types. */
function isCheap(type: CelType | undefined): boolean {
  return type?.kind === "opaque" && type.name !== "kubernetes.NamedFormat" && type.name !== "kubernetes.URL";
}

const addition: Form = ([a, b], { parameters }) => {
  const kind = parameters[0]?.kind;
  if (kind !== "string" && kind !== "bytes" && kind !== "list") return { cost: 1 };
  const size = addSizes(sizeOf(a), sizeOf(b));
  const entries = a?.entries && b?.entries && uniteEntries(a.entries, b.entries);
  return { cost: kind === "list" ? 1 : traversalCost(size), size, entries };
};

/** Scans a list and compares its items, or scans a string for string functions. */
const scan: Form = ([list]) => {
  const size = sizeOf(list);
  if (list?.type.kind !== "list") return { cost: traversalCost(size) };
  const { element } = list.type;
  const isLong = element.kind === "string" || element.kind === "bytes";
  return { cost: multiplyCost(size.max, 1 + (isLong ? traversalCost(itemSizeOf(list)) : 0)) };
};

const regex: Form = ([text, pattern]) => {
  const textCost = traversalCost(addSizes(sizeOf(text), fixedSize(1)));
  return { cost: multiplyCost(textCost, traversalCost(sizeOf(pattern), 0.25)) };
};

/** Returns the cost of creating a list. */
function newList(size: SizeRange, factor = 1): CallCost {
  return { cost: addCost(traversalCost(size, factor), 11), size };
}

const sort: Form = (args) => {
  const keys = args.at(-1);
  const kind = keys?.type.kind === "list" ? keys.type.element.kind : "dyn";
  const size = sizeOf(keys);
  const squared = multiplySizes(size, size);
  return newList(squared, kind === "string" || kind === "bytes" ? 2.1 : 2);
};

const forms: Readonly<Record<string, Form>> = {
  "_==_": comparison,
  "_!=_": comparison,
  "_<_": comparison,
  "_<=_": comparison,
  "_>_": comparison,
  "_>=_": comparison,
  "_+_": addition,
  "@in": ([, list], { parameters }) => ({ cost: parameters[1]?.kind === "list" ? sizeOf(list).max : 1 }),

  // As a global function, it costs 1 like any other: a gap in the API server's table.
  matches: (args, overload) => (overload.isMember ? regex(args, overload) : { cost: 1 }),
  find: (args, overload) => ({ ...regex(args, overload), size: { min: 0, max: sizeOf(args[0]).max } }),
  findAll: (args, overload) => ({ ...regex(args, overload), size: { min: 0, max: sizeOf(args[0]).max } }),
  contains: ([text, part]) => ({ cost: multiplyCost(traversalCost(sizeOf(text)), traversalCost(sizeOf(part))) }),
  startsWith: ([, part]) => ({ cost: traversalCost(sizeOf(part)) }),
  endsWith: ([, part]) => ({ cost: traversalCost(sizeOf(part)) }),
  format: whole,
  lowerAscii: wholeKept,
  upperAscii: wholeKept,
  substring: wholeKept,
  trim: wholeKept,
  replace: ([text, from, to]) => ({
    cost: traversalCost(sizeOf(text), 0.2),
    size: replacedSize(sizeOf(text), sizeOf(from), sizeOf(to)),
  }),
  split: ([text, , most]) => {
    const limit =
      most?.expression.kind === "literal" && typeof most.expression.value === "bigint"
        ? Number(most.expression.value)
        : undefined;
    return {
      cost: traversalCost(sizeOf(text), 0.2),
      size: { min: 0, max: limit === undefined ? sizeOf(text).max : limit < 0 ? mostCost : limit },
    };
  },
  join: ([list, separator]) => {
    const count = sizeOf(list);
    const items = multiplySizes(count, itemSizeOf(list));
    const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    const size = separator ? addSizes(items, multiplySizes(sizeOf(separator), gaps)) : items;
    return { cost: traversalCost(size), size };
  },
  "strings.quote": ([text]) => {
    const { min, max } = sizeOf(text);
    return { cost: traversalCost(sizeOf(text)), size: { min: min + 2, max: addCost(max, max, 2) } };
  },
  bytes: ([text], { parameters }) =>
    parameters[0]?.kind === "string"
      ? { cost: traversalCost(sizeOf(text)), size: { min: sizeOf(text).min, max: multiplyCost(sizeOf(text).max, 4) } }
      : { cost: 1 },
  string: ([value], { parameters }) =>
    parameters[0]?.kind === "bytes" ? { cost: traversalCost(sizeOf(value)), size: sizeOf(value) } : { cost: 1 },

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
  reverse: ([list]) => newList(sizeOf(list)),
  flatten: ([list, depth]) => newList(sizeOf(list), depth ? (integerOf(depth) ?? mostCost) : 1),
  distinct: ([list]) => newList(multiplySizes(sizeOf(list), sizeOf(list)), 2),
  sort,
  "@sortByAssociatedKeys": sort,

  "sets.contains": ([a, b]) => ({ cost: addCost(multiplySizes(sizeOf(a), sizeOf(b)).max, 1) }),
  "sets.intersects": ([a, b]) => ({ cost: addCost(multiplySizes(sizeOf(a), sizeOf(b)).max, 1) }),
  "sets.equivalent": ([a, b]) => ({ cost: addCost(multiplyCost(multiplySizes(sizeOf(a), sizeOf(b)).max, 2), 1) }),

  url: wholeKept,
  cidr: whole,
  isIP: whole,
  isCIDR: whole,
  ip: ([text]) => ({ cost: text?.type.kind === "string" ? traversalCost(sizeOf(text)) : 1 }),
  "ip.isCanonical": ([text]) => ({ cost: traversalCost(sizeOf(text), 0.2) }),
  containsIP: ([, other]) => ({
    cost: 4 + (other?.type.kind === "string" ? traversalCost(sizeOf(other)) : 0),
  }),
  containsCIDR: ([, other]) => ({
    cost: 7 + (other?.type.kind === "string" ? traversalCost(sizeOf(other)) : 0),
  }),
  quantity: whole,
  isQuantity: whole,
  semver: whole,
  isSemver: whole,
  // The longest expression of a format has 128 characters.
  validate: ([, text]) => ({ cost: multiplyCost(traversalCost(sizeOf(text)), 32) }),
};

function formCost(name: string, overload: Overload, args: readonly PartCost[]): CallCost {
  return forms[name]?.(args, overload) ?? { cost: 1 };
}

function sizeOf(part: PartCost | undefined): SizeRange {
  return part?.size ?? unknownSize;
}

/** Returns the size of an item: its declared one, not that of the expression. */
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
