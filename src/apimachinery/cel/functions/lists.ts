import { equalValues } from "../values/equal-values.ts";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelDuration, CelOptional, CelUint, type CelValue, CelTimestamp, isCelMap } from "../values/values.ts";
import { compareValues, int64, uint64 } from "./operators.ts";

type List = readonly CelValue[];

const comparable = ["int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration"];

/** Kubernetes' list functions, cel-go's lists library (version 3) and its sets library. */
export const listFunctions: Readonly<Record<string, Run>> = {
  ...Object.fromEntries(
    comparable.flatMap((type): [string, Run][] => [
      [`list<${type}> -> isSorted(): bool`, isSorted],
      [`list<${type}> -> min(): ${type}`, (list: List) => extreme(list, "min")],
      [`list<${type}> -> max(): ${type}`, (list: List) => extreme(list, "max")],
      [`list<${type}> -> sort(): list<${type}>`, (list: List) => sortBy(list, list)],
      [`list<A> -> @sortByAssociatedKeys(list<${type}>): list<A>`, sortBy],
    ]),
  ),
  "list<int> -> sum(): int": (list: readonly bigint[]) => list.reduce((sum, item) => int64(sum + item), 0n),
  "list<uint> -> sum(): uint": (list: readonly CelUint[]) =>
    list.reduce((sum, item) => uint64(sum.value + item.value), new CelUint(0n)),
  "list<double> -> sum(): double": (list: readonly number[]) => list.reduce((sum, item) => sum + item, 0),
  "list<duration> -> sum(): duration": (list: readonly CelDuration[]) =>
    new CelDuration(list.reduce((sum, item) => int64(sum + item.nanos), 0n)),
  "list<A> -> indexOf(A): int": (list: List, item: CelValue) =>
    BigInt(list.findIndex((other) => equalValues(other, item))),
  "list<A> -> lastIndexOf(A): int": (list: List, item: CelValue) =>
    BigInt(list.findLastIndex((other) => equalValues(other, item))),

  "list<A> -> slice(int, int): list<A>": slice,
  "list<list<A>> -> flatten(): list<A>": (list: List) => list.flat(1),
  "list<dyn> -> flatten(int): list<dyn>": (list: List, depth: bigint) => {
    if (depth < 0n) throw new CelError("level must be non-negative");
    return (list as unknown[]).flat(Number(depth)) as List;
  },
  "list<A> -> distinct(): list<A>": (list: List) =>
    list.filter((item, index) => list.findIndex((other) => equalValues(other, item)) === index),
  "list<A> -> reverse(): list<A>": (list: List) => list.toReversed(),
  "list<A> -> first(): optional<A>": (list: List) => new CelOptional(list[0]),
  "list<A> -> last(): optional<A>": (list: List) => new CelOptional(list.at(-1)),
  "lists.range(int): list<int>": (count: bigint) =>
    Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)),

  "sets.contains(list<A>, list<A>): bool": containsAll,
  "sets.equivalent(list<A>, list<A>): bool": (a: List, b: List) => containsAll(a, b) && containsAll(b, a),
  "sets.intersects(list<A>, list<A>): bool": (a: List, b: List) =>
    a.some((item) => b.some((other) => equalValues(item, other))),
};

function isSorted(list: List): boolean {
  return list.every((item, index) => index === 0 || (compareValues(list[index - 1]!, item) ?? 1) <= 0);
}

function extreme(list: List, which: "min" | "max"): CelValue {
  const [first, ...rest] = list;
  if (first === undefined) throw new CelError(`${which} called on empty list`);
  return rest.reduce((best, item) => {
    const order = compareValues(item, best) ?? 0;
    return (which === "min" ? order < 0 : order > 0) ? item : best;
  }, first);
}

function sortBy(list: List, keys: List): List {
  return list
    .map((item, index) => ({ item, key: keys[index]! }))
    .toSorted((a, b) => compareValues(a.key, b.key) ?? 0)
    .map(({ item }) => item);
}

function slice(list: List, start: bigint, end: bigint): List {
  if (start < 0n || end < 0n) throw new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > BigInt(list.length)) throw new CelError(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function containsAll(list: List, wanted: List): boolean {
  return wanted.every((item) => list.some((other) => equalValues(item, other)));
}

/** Functions of optional values. `or` and `orValue` are only declared: the evaluator does not evaluate both sides. */
export const optionalFunctions: Readonly<Record<string, Run>> = {
  "optional.of(A): optional<A>": (value: CelValue) => new CelOptional(value),
  "optional.ofNonZeroValue(A): optional<A>": (value: CelValue) =>
    isZero(value) ? CelOptional.none : new CelOptional(value),
  "optional.none(): optional<A>": () => CelOptional.none,
  "optional.unwrap(list<optional<A>>): list<A>": unwrap,
  "list<optional<A>> -> unwrapOpt(): list<A>": unwrap,
  "optional<A> -> hasValue(): bool": (optional: CelOptional) => optional.value !== undefined,
  "optional<A> -> value(): A": (optional: CelOptional) => {
    if (optional.value === undefined) throw new CelError("optional.none() dereference");
    return optional.value;
  },
  "optional<A> -> or(optional<A>): optional<A>": (optional: CelOptional, other: CelOptional) =>
    optional.value === undefined ? other : optional,
  "optional<A> -> orValue(A): A": (optional: CelOptional, other: CelValue) => optional.value ?? other,
};

function unwrap(list: readonly CelOptional[]): CelValue[] {
  return list.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === "" || value === 0 || value === 0n) return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration || value instanceof CelTimestamp) return value.nanos === 0n;
  return isCelMap(value) && value.size === 0;
}
