import type { Expression, TSEnumDeclaration, TSLiteral } from "oxc-parser";

export type LiteralValue = string | number | boolean;

/** Returns the value of a literal type; `undefined` for template and bigint literals. */
export function literalValue(literal: TSLiteral | Expression): LiteralValue | undefined {
  if (literal.type === "Literal") {
    const { value } = literal;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
  }
  if (literal.type === "UnaryExpression" && (literal.operator === "-" || literal.operator === "+")) {
    const value = literalValue(literal.argument);
    return typeof value === "number" ? (literal.operator === "-" ? -value : value) : undefined;
  }
  if (literal.type === "TemplateLiteral" && literal.expressions.length === 0) {
    return literal.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}

/** Returns the values of an enum, counted as TypeScript counts them; `undefined` if one is computed. */
export function enumValues(declaration: TSEnumDeclaration): LiteralValue[] | undefined {
  const values: LiteralValue[] = [];
  let next: number | undefined = 0;
  for (const { initializer } of declaration.body.members) {
    const value: LiteralValue | undefined = initializer ? literalValue(initializer) : next;
    if (value === undefined) return undefined;
    values.push(value);
    next = typeof value === "number" ? value + 1 : undefined;
  }
  return values;
}
