import type { Expression } from "./expression.ts";

/** Returns `a.b.c` for plain selections; `undefined` for other expressions. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.mode !== "value") return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
