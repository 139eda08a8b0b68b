import type { ComprehensionMacro } from "../syntax/expression.ts";
import { CelError } from "../values/issue.ts";
import { CelLiteralMap, isCelMap, showKey, type CelMap, type CelValue, type Outcome } from "../values/values.ts";

/** The cost at which an API server ends an evaluation. */
const costLimit = 1_000_000;

/** Ends an evaluation that costs too much. It is not a CelError, so that no operator catches it. */
export class CostLimitError extends Error {
  override readonly name: string = "CostLimitError";
}

/** Counts the cost of one evaluation, in the API server's units. */
export class CostMeter {
  spent = 0;

  /** Adds a cost. Throws a CostLimitError if the sum exceeds the limit. */
  charge(cost: number): void {
    this.spent += cost;
    if (this.spent > costLimit) throw new CostLimitError("operation cancelled: actual cost limit exceeded");
  }
}

/** The variables of an evaluation; inner ones shadow outer ones. */
export interface Scope {
  readonly name: string;
  readonly value: Outcome;
  readonly outer?: Scope | undefined;
}

/**
 * Evaluates a part of an expression. An error is a result, as in cel-go: the calls around it still count. Throws a
 * CostLimitError.
 */
export type Evaluate = (scope: Scope | undefined, meter: CostMeter) => Outcome;

interface CompiledComprehension {
  readonly macro: ComprehensionMacro;
  readonly variable: string;
  readonly second: string | undefined;
  /** As in `loopCosts`. */
  readonly costs: { readonly item: number; readonly result: number };
  readonly condition: Evaluate | undefined;
  readonly transform: Evaluate | undefined;
}

/** Evaluates a macro over a list, or over the keys of a map. */
export function evaluateComprehension(
  comprehension: CompiledComprehension,
  range: Outcome,
  outer: Scope | undefined,
  meter: CostMeter,
): Outcome {
  if (range instanceof CelError) return range;
  if (!Array.isArray(range) && !isCelMap(range)) return noSuchOverload();
  const { macro, costs } = comprehension;
  const items = itemsOf(range as readonly CelValue[] | CelMap, comprehension, outer);
  const result =
    macro === "all" || macro === "exists" ? decide(comprehension, items, meter) : collect(comprehension, items, meter);
  meter.charge(costs.result);
  return result;
}

interface Items {
  readonly count: number;
  readonly scopeAt: (index: number) => Scope;
}

function itemsOf(
  range: readonly CelValue[] | CelMap,
  { variable, second }: CompiledComprehension,
  outer: Scope | undefined,
): Items {
  const list = isCelMap(range) ? undefined : range;
  const keys = isCelMap(range) ? range.keys() : range;
  return {
    count: keys.length,
    scopeAt(index) {
      if (second === undefined) return { name: variable, value: keys[index]!, outer };
      const first = { name: variable, value: list ? BigInt(index) : keys[index]!, outer };
      return { name: second, value: list ? list[index]! : ((range as CelMap).get(keys[index]!) ?? null), outer: first };
    },
  };
}

/** Looks for one item that decides; an error of another item counts only if none does. */
function decide(
  { macro, condition, costs: { item } }: CompiledComprehension,
  { count, scopeAt }: Items,
  meter: CostMeter,
): Outcome {
  const decisive = macro === "exists";
  let failed: CelError | undefined;
  for (let index = 0; index < count; index++) {
    meter.charge(item);
    const value = condition!(scopeAt(index), meter);
    if (value === decisive) {
      // Before the next item, cel-go asks whether the loop is over.
      if (index + 1 < count) meter.charge(item - 1);
      return decisive;
    }
    if (typeof value !== "boolean") failed ??= value instanceof CelError ? value : noSuchOverload();
  }
  return failed ?? !decisive;
}

/** Collects what the macro makes of the items. cel-go visits them all, even after an error. */
function collect(comprehension: CompiledComprehension, { count, scopeAt }: Items, meter: CostMeter): Outcome {
  const { macro, condition, transform, costs } = comprehension;
  const isMap = macro === "transformMap" || macro === "transformMapEntry";
  const list: CelValue[] = [];
  const map = new CelLiteralMap();
  let failed: CelError | undefined;
  for (let index = 0; index < count; index++) {
    const scope = scopeAt(index);
    const included = condition?.(scope, meter) ?? true;
    if (typeof included !== "boolean") failed = included instanceof CelError ? included : noSuchOverload();
    if (included !== true) continue;
    if (failed && macro === "transformMap") {
      // The call that adds an entry ends with its first argument, the map.
      meter.charge(1);
      continue;
    }
    meter.charge(costs.item);
    const value = transform ? transform(scope, meter) : comprehension.second === undefined ? scope.value : true;
    if (value instanceof CelError) failed ??= value;
    else if (macro === "transformMap") map.add(scope.outer!.value, value);
    else if (macro === "transformMapEntry") failed ??= addEntries(map, value);
    else list.push(value);
  }
  if (failed) return failed;
  if (macro === "existsOne") return list.length === 1;
  return isMap ? map : list;
}

function addEntries(map: CelLiteralMap, entries: CelValue): CelError | undefined {
  if (!isCelMap(entries)) return noSuchOverload();
  for (const key of entries.keys()) {
    if (map.get(key) !== undefined) return new CelError(`insert failed: key ${showKey(key)} already exists`);
    map.add(key, entries.get(key) ?? null);
  }
  return undefined;
}

export function noSuchOverload(): CelError {
  return new CelError("no such overload");
}
