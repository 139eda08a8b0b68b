import type { Expression, TSEnumDeclaration, TSEnumMember, TSLiteral } from "oxc-parser";

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

/** Returns the values of an enum; `undefined` if one is computed. */
export function enumValues(declaration: TSEnumDeclaration): LiteralValue[] | undefined {
  const values = [...enumMembers(declaration).values()];
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Returns the members of an enum with their values, counted as in TypeScript; `undefined` for a computed one. */
export function enumMembers(declaration: TSEnumDeclaration): Map<string, LiteralValue | undefined> {
  const members = new Map<string, LiteralValue | undefined>();
  let next: number | undefined = 0;
  for (const { id, initializer } of declaration.body.members) {
    const value: LiteralValue | undefined = initializer ? literalValue(initializer) : next;
    members.set(memberName(id), value);
    next = typeof value === "number" ? value + 1 : undefined;
  }
  return members;
}

function memberName(id: TSEnumMember["id"]): string {
  return id.type === "Identifier" ? id.name : String(literalValue(id));
}
