import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { textsAt } from "../../kinds/printing/field-access.ts";

/** One condition that objects meet which a quota counts. */
export interface ScopeSelector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Returns all scopes of a quota: its plain ones, and those of its selector. */
export function scopesOf(quota: UnstructuredObject): ScopeSelector[] {
  const selector = childIf(childIf(quota, "spec"), "scopeSelector");
  return [
    ...textsAt(quota, "spec", "scopes").map((scopeName) => ({ scopeName, operator: "Exists", values: [] })),
    ...items(selector, "matchExpressions").map(({ scopeName, operator, values = [] }) => ({
      scopeName: textOf(scopeName),
      operator: textOf(operator),
      values: values as string[],
    })),
  ];
}

/** Reports whether a selector of names, such as those of priority classes, selects a name; an empty one is absent. */
export function selectsName({ scopeName, operator, values }: ScopeSelector, name: string): boolean {
  const expression = { key: scopeName, operator, values: [...values] } as SelectorExpression;
  return labelSelectorMatcher({ matchExpressions: [expression] }).matches(name ? { [scopeName]: name } : {});
}

interface SelectorExpression {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values: string[];
}
