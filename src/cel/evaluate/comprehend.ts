import type { ComprehensionMacro } from "../syntax/expression.ts";
import { CelError } from "../values/issue.ts";
import { CelLiteralMap, isCelMap, showKey, type CelValue } from "../values/values.ts";

/** The variables of an evaluation; inner ones shadow outer ones. */
export interface Scope {
  readonly name: string;
  readonly value: CelValue;
  readonly outer?: Scope | undefined;
}

export type Evaluate = (scope: Scope | undefined) => CelValue;

interface CompiledComprehension {
  readonly macro: ComprehensionMacro;
  readonly variable: string;
  readonly second: string | undefined;
  readonly condition: Evaluate | undefined;
  readonly transform: Evaluate | undefined;
}

/** Evaluates a macro over a list, or over the keys of a map. */
export function evaluateComprehension(
  comprehension: CompiledComprehension,
  range: CelValue,
  outer: Scope | undefined,
): CelValue {
  const { macro, variable, second, condition, transform } = comprehension;
  const scopes = itemsOf(range).map(({ key, value, isIndex }): { key: CelValue; scope: Scope } => {
    if (second === undefined) return { key, scope: { name: variable, value: isIndex ? value : key, outer } };
    const first = { name: variable, value: key, outer };
    return { key, scope: { name: second, value, outer: first } };
  });
  const included = (scope: Scope): boolean => condition === undefined || isTrue(condition(scope));
  switch (macro) {
    case "all":
      return !decide(scopes, (scope) => !included(scope));
    case "exists":
      return decide(scopes, included);
    case "existsOne":
      return scopes.filter(({ scope }) => included(scope)).length === 1;
    case "filter":
      return scopes.filter(({ scope }) => included(scope)).map(({ scope }) => scope.value);
    case "map":
    case "transformList":
      return scopes.filter(({ scope }) => included(scope)).map(({ scope }) => transform!(scope));
    case "transformMap":
    case "transformMapEntry": {
      const map = new CelLiteralMap();
      for (const { key, scope } of scopes) {
        if (!included(scope)) continue;
        const value = transform!(scope);
        if (macro === "transformMap") map.add(key, value);
        else addEntries(map, value);
      }
      return map;
    }
    default:
      return macro satisfies never;
  }
}

/** Reports whether one item decides; an error of another item counts only if none does. */
function decide(scopes: readonly { scope: Scope }[], decides: (scope: Scope) => boolean): boolean {
  let failed: CelError | undefined;
  for (const { scope } of scopes) {
    try {
      if (decides(scope)) return true;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failed ??= error;
    }
  }
  if (failed) throw failed;
  return false;
}

function itemsOf(range: CelValue): { key: CelValue; value: CelValue; isIndex: boolean }[] {
  if (Array.isArray(range))
    return (range as readonly CelValue[]).map((value, index) => ({ key: BigInt(index), value, isIndex: true }));
  if (!isCelMap(range)) throw new CelError("no such overload");
  return range.keys().map((key) => ({ key, value: range.get(key) ?? null, isIndex: false }));
}

function addEntries(map: CelLiteralMap, entries: CelValue): void {
  if (!isCelMap(entries)) throw new CelError("no such overload");
  for (const key of entries.keys()) {
    if (map.get(key) !== undefined) throw new CelError(`insert failed: key ${showKey(key)} already exists`);
    map.add(key, entries.get(key) ?? null);
  }
}

export function isTrue(value: CelValue): boolean {
  if (typeof value !== "boolean") throw new CelError("no such overload");
  return value;
}
