import type { CelValue } from "../values/values.ts";

/** A parsed CEL expression. `at` is the source offset for errors, as cel-go chooses it. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension
  | OptionalMapping
  | Binding;

export interface Literal {
  readonly kind: "literal";
  readonly at: number;
  readonly value: CelValue;
}

export interface Identifier {
  readonly kind: "identifier";
  readonly at: number;
  readonly name: string;
}

/** `a.b`, `a.?b`, or the test of `has(a.b)`. */
export interface Select {
  readonly kind: "select";
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  readonly mode: "value" | "optional" | "test";
}

/** A function, or an operator under cel-go's name for it, such as `_+_`. */
export interface Call {
  readonly kind: "call";
  readonly at: number;
  readonly name: string;
  readonly target?: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListLiteral {
  readonly kind: "list";
  readonly at: number;
  readonly items: readonly { readonly value: Expression; readonly optional: boolean }[];
}

export interface MapLiteral {
  readonly kind: "map";
  readonly at: number;
  readonly entries: readonly {
    readonly at: number;
    readonly key: Expression;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

/** `Name{field: value}`, in policies that change objects. */
export interface StructLiteral {
  readonly kind: "struct";
  readonly at: number;
  readonly name: string;
  readonly fields: readonly {
    readonly at: number;
    readonly name: string;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

export type ComprehensionMacro =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** A macro over a list or map. With a second variable, the first is the index or key and the second the value. */
export interface Comprehension {
  readonly kind: "comprehension";
  readonly at: number;
  readonly macro: ComprehensionMacro;
  readonly range: Expression;
  readonly variable: string;
  readonly second?: string | undefined;
  /** The filter of the items; the body of `all`, `exists`, `existsOne` and `filter`. */
  readonly condition?: Expression | undefined;
  readonly transform?: Expression | undefined;
}

/** `optMap` and `optFlatMap`. */
export interface OptionalMapping {
  readonly kind: "optionalMapping";
  readonly at: number;
  readonly target: Expression;
  readonly variable: string;
  readonly transform: Expression;
  readonly flat: boolean;
}

/** A named value that a macro uses twice. */
export interface Binding {
  readonly kind: "binding";
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
}

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

/** Returns `a.b.c` for plain selections; `undefined` for other expressions. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.mode !== "value") return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
