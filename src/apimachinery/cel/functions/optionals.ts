import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelDuration, CelOptional, CelTimestamp, CelUint, isCelMap, type CelValue } from "../values/values.ts";

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
