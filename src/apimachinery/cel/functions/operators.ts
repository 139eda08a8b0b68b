import { compareNumbers, equalValues, groupByIdentity, identityOf } from "../values/equal-values.ts";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import {
  CelDuration,
  CelOptional,
  CelTimestamp,
  CelUint,
  listSemantics,
  semanticsOf,
  showKey,
  type CelMap,
  type CelValue,
} from "../values/values.ts";

type List = readonly CelValue[];

/**
 * Operators under cel-go's names. `&&`, `||` and `?:` are only declared: the evaluator does not evaluate all operands.
 */
export const operators: Readonly<Record<string, Run>> = {
  "_&&_(bool, bool): bool": (a: boolean, b: boolean) => a && b,
  "_||_(bool, bool): bool": (a: boolean, b: boolean) => a || b,
  "_?_:_(bool, A, A): A": (condition: boolean, yes: CelValue, no: CelValue) => (condition ? yes : no),
  "!_(bool): bool": (a: boolean) => !a,
  "-_(int): int": (a: bigint) => int64(-a),
  "-_(double): double": (a: number) => -a,
  "_==_(A, A): bool": equalValues,
  "_!=_(A, A): bool": (a: CelValue, b: CelValue) => !equalValues(a, b),
  ...comparisons(),
  "@in(A, list<A>): bool": (item: CelValue, list: List) => list.some((other) => equalValues(item, other)),
  "@in(A, map<A, B>): bool": (key: CelValue, map: CelMap) => map.get(key) !== undefined,

  "_+_(int, int): int": (a: bigint, b: bigint) => int64(a + b),
  "_+_(uint, uint): uint": (a: CelUint, b: CelUint) => uint64(a.value + b.value),
  "_+_(double, double): double": (a: number, b: number) => a + b,
  "_+_(string, string): string": (a: string, b: string) => a + b,
  "_+_(bytes, bytes): bytes": (a: Uint8Array, b: Uint8Array) => Uint8Array.from([...a, ...b]),
  "_+_(list<A>, list<A>): list<A>": concat,
  "_+_(timestamp, duration): timestamp": (a: CelTimestamp, b: CelDuration) => celTimestamp(a.nanos + b.nanos),
  "_+_(duration, timestamp): timestamp": (a: CelDuration, b: CelTimestamp) => celTimestamp(a.nanos + b.nanos),
  "_+_(duration, duration): duration": (a: CelDuration, b: CelDuration) => new CelDuration(int64(a.nanos + b.nanos)),
  "_-_(int, int): int": (a: bigint, b: bigint) => int64(a - b),
  "_-_(uint, uint): uint": (a: CelUint, b: CelUint) => uint64(a.value - b.value),
  "_-_(double, double): double": (a: number, b: number) => a - b,
  "_-_(timestamp, timestamp): duration": (a: CelTimestamp, b: CelTimestamp) =>
    new CelDuration(int64(a.nanos - b.nanos)),
  "_-_(timestamp, duration): timestamp": (a: CelTimestamp, b: CelDuration) => celTimestamp(a.nanos - b.nanos),
  "_-_(duration, duration): duration": (a: CelDuration, b: CelDuration) => new CelDuration(int64(a.nanos - b.nanos)),
  "_*_(int, int): int": (a: bigint, b: bigint) => int64(a * b),
  "_*_(uint, uint): uint": (a: CelUint, b: CelUint) => uint64(a.value * b.value),
  "_*_(double, double): double": (a: number, b: number) => a * b,
  "_/_(int, int): int": (a: bigint, b: bigint) => int64(a / divisor(b, "division")),
  "_/_(uint, uint): uint": (a: CelUint, b: CelUint) => uint64(a.value / divisor(b.value, "division")),
  "_/_(double, double): double": (a: number, b: number) => a / b,
  "_%_(int, int): int": (a: bigint, b: bigint) => a % divisor(b, "modulus"),
  "_%_(uint, uint): uint": (a: CelUint, b: CelUint) => uint64(a.value % divisor(b.value, "modulus")),

  "_[_](list<A>, int): A": (list: List, index: bigint) => itemAt(list, index),
  "_[_](map<A, B>, A): B": (map: CelMap, key: CelValue) => entryOf(map, key),
  "_[_](optional<list<A>>, int): optional<A>": (list: CelOptional, index: bigint) =>
    optionalItem(list.value as List | undefined, index),
  "_[_](optional<map<A, B>>, A): optional<B>": (map: CelOptional, key: CelValue) =>
    new CelOptional((map.value as CelMap | undefined)?.get(key)),
  "_[?_](list<A>, int): optional<A>": optionalItem,
  "_[?_](map<A, B>, A): optional<B>": (map: CelMap, key: CelValue) => new CelOptional(map.get(key)),
  "_[?_](optional<list<A>>, int): optional<A>": (list: CelOptional, index: bigint) =>
    optionalItem(list.value as List | undefined, index),
  "_[?_](optional<map<A, B>>, A): optional<B>": (map: CelOptional, key: CelValue) =>
    new CelOptional((map.value as CelMap | undefined)?.get(key)),
};

/** Checks that a result fits 64 bits with sign. */
export function int64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError("integer overflow");
  return value;
}

export function uint64(value: bigint): CelUint {
  if (BigInt.asUintN(64, value) !== value) throw new CelError("unsigned integer overflow");
  return new CelUint(value);
}

const [firstNanos, lastNanos] = [-62135596800n * 10n ** 9n, 253402300800n * 10n ** 9n - 1n];

/** Creates a time between the years 1 and 9999. */
export function celTimestamp(nanos: bigint): CelTimestamp {
  if (nanos < firstNanos || nanos > lastNanos) throw new CelError("timestamp overflow");
  return new CelTimestamp(nanos);
}

/** Compares values for sorting; returns `undefined` for values without an order, such as NaN. */
export function compareValues(a: CelValue, b: CelValue): number | undefined {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const isTime = a instanceof CelTimestamp || a instanceof CelDuration;
  if (isTime && (b instanceof CelTimestamp || b instanceof CelDuration)) return compareNumbers(a.nanos, b.nanos);
  return compareNumbers(a, b);
}

function comparisons(): Record<string, Run> {
  const numbers = ["int", "uint", "double"];
  const pairs = [
    ...["bool", "string", "bytes", "timestamp", "duration"].map((type) => [type, type]),
    ...numbers.flatMap((a) => numbers.map((b) => [a, b])),
  ];
  const holds: Record<string, (order: number) => boolean> = {
    "<": (order) => order < 0,
    "<=": (order) => order <= 0,
    ">": (order) => order > 0,
    ">=": (order) => order >= 0,
  };
  return Object.fromEntries(
    Object.entries(holds).flatMap(([operator, test]) =>
      pairs.map(([a, b]) => [
        `_${operator}_(${a}, ${b}): bool`,
        (x: CelValue, y: CelValue) => {
          const order = compareValues(x, y);
          return order !== undefined && test(order);
        },
      ]),
    ),
  );
}

/**
 * Concatenates lists. Sets are united; in list maps, items of the right replace those of the left with the same key.
 */
function concat(a: List, b: List): List {
  const semantics = semanticsOf(a);
  if (!semantics) return [...a, ...b];
  const [mine, others] = [groupByIdentity(a, semantics), groupByIdentity(b, semantics)];
  const replaced = a.map((item) => others.get(identityOf(item, semantics))?.[0] ?? item);
  const added = b.filter((item) => !mine.has(identityOf(item, semantics)));
  return Object.assign([...replaced, ...added], { [listSemantics]: semantics });
}

function divisor(value: bigint, what: "division" | "modulus"): bigint {
  if (value === 0n) throw new CelError(`${what} by zero`);
  return value;
}

function itemAt(list: List, index: bigint): CelValue {
  const item = list[Number(index)];
  if (item === undefined) throw new CelError(`index out of bounds: ${index}`);
  return item;
}

function optionalItem(list: List | undefined, index: bigint): CelOptional {
  return new CelOptional(list?.[Number(index)]);
}

function entryOf(map: CelMap, key: CelValue): CelValue {
  const value = map.get(key);
  if (value === undefined) throw new CelError(`no such key: ${showKey(key)}`);
  return value;
}
