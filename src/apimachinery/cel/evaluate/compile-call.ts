import type { Call } from "../syntax/expression.ts";
import { CelError } from "../values/issue.ts";
import type { Overload } from "../values/overload.ts";
import { CelOptional, isOfType, type CelValue, type Outcome } from "../values/values.ts";
import type { CallPrice } from "./call-price.ts";
import { noSuchOverload, type Evaluate } from "./comprehend.ts";

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
