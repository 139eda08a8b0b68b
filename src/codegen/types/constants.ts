import type { Expression } from "oxc-parser";
import { enumMembers, literalValue, type LiteralValue } from "./literals.ts";
import { namesOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** What the compiler knows of a constant; `undefined` if it is computed. */
export type ConstantValue = LiteralValue | readonly ConstantValue[] | ReadonlyMap<string, ConstantValue> | undefined;

/** Returns the value of `a.b`; `undefined` if the compiler does not know it. */
export function constantNamed(names: readonly string[], scope: Scope, types: TypeEvaluator): ConstantValue {
  for (let count = names.length; count > 0; count--) {
    const found = types.resolve(names.slice(0, count), scope, "value");
    const members = names.slice(count);
    if (found?.is === "type" && found.declared.node.type === "TSEnumDeclaration")
      return members.reduce(memberOf, enumMembers(found.declared.node) as ConstantValue);
    if (found?.is !== "constant") continue;
    const { init, module } = found;
    // Without `as const`, the type of a constant is a literal only if its value is one.
    const fixed = asConst(init) ?? (literalValue(init) === undefined ? undefined : init);
    return members.reduce(memberOf, fixed && valueOf(fixed, { ...scope, module }, types));
  }
  return undefined;
}

/** Returns an element of a list, or a member of an object. */
export function memberOf(owner: ConstantValue, name: string): ConstantValue {
  if (isList(owner)) return owner[Number(name)];
  return typeof owner === "object" ? owner.get(name) : undefined;
}

export function isList(value: ConstantValue): value is readonly ConstantValue[] {
  return Array.isArray(value);
}

function valueOf(init: Expression, scope: Scope, types: TypeEvaluator): ConstantValue {
  const inner = asConst(init) ?? init;
  if (inner.type === "Identifier") return constantNamed([inner.name], scope, types);
  if (inner.type === "ArrayExpression")
    return inner.elements.flatMap((element) => {
      if (element?.type !== "SpreadElement") return [element ? valueOf(element, scope, types) : undefined];
      const list = valueOf(element.argument, scope, types);
      return isList(list) ? list : [undefined];
    });
  if (inner.type !== "ObjectExpression") return literalValue(inner);
  const members = new Map<string, ConstantValue>();
  for (const property of inner.properties) {
    if (property.type === "SpreadElement") {
      const spread = valueOf(property.argument, scope, types);
      if (typeof spread !== "object" || isList(spread)) return undefined;
      for (const [key, value] of spread) members.set(key, value);
      continue;
    }
    const { key, value, computed } = property;
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : undefined;
    if (computed || name === undefined) return undefined;
    members.set(String(name), valueOf(value, scope, types));
  }
  return members;
}

/** Unwraps `as const`, `satisfies` and `Object.freeze`; `undefined` without one that makes the values literals. */
function asConst(init: Expression): Expression | undefined {
  if (init.type === "TSSatisfiesExpression") return asConst(init.expression);
  if (init.type === "CallExpression") {
    const { callee, arguments: given } = init;
    const method = callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name;
    const [argument] = given;
    if (method !== "freeze" || !argument || argument.type === "SpreadElement") return undefined;
    return asConst(argument) ?? (argument.type === "ObjectExpression" ? argument : undefined);
  }
  if (init.type !== "TSAsExpression") return undefined;
  const { typeAnnotation } = init;
  const isConst = typeAnnotation.type === "TSTypeReference" && namesOf(typeAnnotation.typeName).join() === "const";
  return isConst ? init.expression : undefined;
}
