import type { Expression } from "./expression.ts";

/** Calls `visit` for an expression and all its parts, outer ones first. */
export function visitParts(expression: Expression, visit: (part: Expression) => void): void {
  visit(expression);
  for (const part of partsOf(expression)) visitParts(part, visit);
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "identifier":
      return [];
    case "select":
      return [expression.operand];
    case "call":
      return [...(expression.target ? [expression.target] : []), ...expression.args];
    case "list":
      return expression.items.map(({ value }) => value);
    case "map":
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expression.fields.map(({ value }) => value);
    case "comprehension":
      return [expression.range, expression.condition, expression.transform].filter((part) => part !== undefined);
    case "optionalMapping":
      return [expression.target, expression.transform];
    case "binding":
      return [expression.value, expression.body];
    default:
      return expression satisfies never;
  }
}
