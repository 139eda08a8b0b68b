import { messageOf } from "../../../errors/message-of.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isQuantity,
  parseQuantity,
  quantityToInteger,
  quantityToNumber,
  subtractQuantities,
  type ParsedQuantity,
} from "../../quantity.ts";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelOpaque } from "../values/values.ts";

const type = "kubernetes.Quantity";

/** Kubernetes' quantity library. */
export const quantityFunctions: Readonly<Record<string, Run>> = {
  [`quantity(string): ${type}`]: (text: string) => wrap(read(text)),
  "isQuantity(string): bool": isQuantity,
  [`sign(${type}): int`]: (a: CelOpaque) => BigInt(Math.sign(Number(unwrap(a).nanos))),
  [`${type} -> compareTo(${type}): int`]: (a: CelOpaque, b: CelOpaque) =>
    BigInt(compareQuantities(unwrap(a), unwrap(b))),
  [`${type} -> isGreaterThan(${type}): bool`]: (a: CelOpaque, b: CelOpaque) =>
    compareQuantities(unwrap(a), unwrap(b)) > 0,
  [`${type} -> isLessThan(${type}): bool`]: (a: CelOpaque, b: CelOpaque) => compareQuantities(unwrap(a), unwrap(b)) < 0,
  [`${type} -> add(${type}): ${type}`]: (a: CelOpaque, b: CelOpaque) => wrap(addQuantities(unwrap(a), unwrap(b))),
  [`${type} -> add(int): ${type}`]: (a: CelOpaque, b: bigint) => wrap(addQuantities(unwrap(a), ofInteger(b))),
  [`${type} -> sub(${type}): ${type}`]: (a: CelOpaque, b: CelOpaque) => wrap(subtractQuantities(unwrap(a), unwrap(b))),
  [`${type} -> sub(int): ${type}`]: (a: CelOpaque, b: bigint) => wrap(subtractQuantities(unwrap(a), ofInteger(b))),
  [`${type} -> isInteger(): bool`]: (a: CelOpaque) => quantityToInteger(unwrap(a)) !== undefined,
  [`${type} -> asInteger(): int`]: (a: CelOpaque) => {
    const value = quantityToInteger(unwrap(a));
    if (value === undefined) throw new CelError("cannot convert value to integer");
    return value;
  },
  [`${type} -> asApproximateFloat(): double`]: (a: CelOpaque) => quantityToNumber(unwrap(a)),
};

function read(text: string): ParsedQuantity {
  try {
    return parseQuantity(text);
  } catch (error) {
    throw new CelError(messageOf(error));
  }
}

/** Wraps a quantity; equal amounts are equal in any notation. */
function wrap(quantity: ParsedQuantity): CelOpaque {
  return new CelOpaque(type, formatQuantity({ ...quantity, style: "decimal" }), quantity);
}

function unwrap(value: CelOpaque): ParsedQuantity {
  return value.content as ParsedQuantity;
}

function ofInteger(value: bigint): ParsedQuantity {
  return { nanos: value * 10n ** 9n, style: "decimal" };
}
