import type { Expression } from "./expression.ts";

type ExpressionOf<Kind> = Extract<Expression, { kind: Kind }>;

/** A method for each kind of expression. The scope holds the variables that are visible there. */
export type ExpressionVisitor<Result, Scope> = {
  [Kind in Expression["kind"]]: (expression: ExpressionOf<Kind>, scope: Scope) => Result;
};

/** Calls the visitor's method for the kind of an expression. */
export function visitExpression<Result, Scope>(
  visitor: ExpressionVisitor<Result, Scope>,
  expression: Expression,
  scope: Scope,
): Result {
  return (visitor as Readonly<Record<string, (expression: Expression, scope: Scope) => Result>>)[expression.kind]!(
    expression,
    scope,
  );
}
