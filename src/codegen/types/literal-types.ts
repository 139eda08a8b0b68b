import type { Expression, TSIndexedAccessType, TSType, TSTypeQuery } from "oxc-parser";
import { enumMembers, enumValues, literalValue, type LiteralValue } from "./literals.ts";
import { namesOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Returns the values of a type that is a set of literals, in source order; `undefined` for other types. */
export function literalsOf(node: TSType, scope: Scope, types: TypeEvaluator): LiteralValue[] | undefined {
  if (node.type === "TSParenthesizedType") return literalsOf(node.typeAnnotation, scope, types);
  if (node.type === "TSLiteralType") return allKnown([literalValue(node.literal)]);
  if (node.type === "TSUnionType") return allKnown(node.types.map((part) => literalsOf(part, scope, types)))?.flat();
  if (node.type === "TSTypeReference") return ofReference(node, scope, types);
  if (node.type === "TSIndexedAccessType") return ofIndexedAccess(node, scope, types);
  return node.type === "TSTypeOperator" && node.operator === "keyof"
    ? keysOf(node.typeAnnotation, scope, types)
    : undefined;
}

function allKnown<T>(values: (T | undefined)[]): T[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Returns the names of `keyof T`: the properties of a type or of a constant object. */
export function keysOf(node: TSType, scope: Scope, types: TypeEvaluator): string[] | undefined {
  const query = typeofQuery(node);
  if (query) {
    const object = constantObject(query, scope, types);
    return object && [...object.keys()];
  }
  const { properties } = types.flatten(types.schemaOf(node, scope), node, scope);
  return properties && Object.keys(properties);
}

function ofReference(
  node: Extract<TSType, { type: "TSTypeReference" }>,
  scope: Scope,
  types: TypeEvaluator,
): LiteralValue[] | undefined {
  const names = namesOf(node.typeName);
  const parameter = scope.parameters.get(names.join("."));
  if (parameter) return literalsOf(parameter.node, parameter.scope, types);
  const found = types.resolve(names, scope);
  if (!found) return ofUtility(names.join("."), node.typeArguments?.params ?? [], scope, types);
  if (found.is === "member") return allKnown([enumMembers(found.declaration).get(found.name)]);
  if (found.is !== "type") return undefined;
  const { node: declaration } = found.declared;
  if (declaration.type === "TSEnumDeclaration") return enumValues(declaration);
  if (declaration.type !== "TSTypeAliasDeclaration") return undefined;
  const bounds = types.bind(found, node.typeArguments?.params ?? [], { node, scope });
  const inner: Scope = { module: found.module, parameters: bounds.parameters, path: scope.path, stack: scope.stack };
  return literalsOf(declaration.typeAnnotation, inner, types);
}

function ofUtility(
  name: string,
  [all, some]: readonly TSType[],
  scope: Scope,
  types: TypeEvaluator,
): LiteralValue[] | undefined {
  if ((name !== "Exclude" && name !== "Extract") || !all || !some) return undefined;
  const values = literalsOf(all, scope, types);
  const others = literalsOf(some, scope, types);
  return values && others && values.filter((value) => others.includes(value) === (name === "Extract"));
}

/** Resolves `(typeof LIST)[number]` and `(typeof OBJECT)[keyof typeof OBJECT]`. */
function ofIndexedAccess(node: TSIndexedAccessType, scope: Scope, types: TypeEvaluator): LiteralValue[] | undefined {
  const query = typeofQuery(node.objectType);
  if (!query) return undefined;
  if (node.indexType.type === "TSNumberKeyword") return constantList(query, scope, types);
  const object = constantObject(query, scope, types);
  const keys = literalsOf(node.indexType, scope, types);
  const values = object && keys?.map((key) => object.get(String(key)));
  return values && allKnown(values);
}

function typeofQuery(node: TSType): TSTypeQuery | undefined {
  if (node.type === "TSParenthesizedType") return typeofQuery(node.typeAnnotation);
  return node.type === "TSTypeQuery" ? node : undefined;
}

function constantList(query: TSTypeQuery, scope: Scope, types: TypeEvaluator): LiteralValue[] | undefined {
  const init = constantOf(query, scope, types);
  if (init?.type !== "ArrayExpression") return undefined;
  return allKnown(
    init.elements.map((element) => (element && element.type !== "SpreadElement" ? literalValue(element) : undefined)),
  );
}

function constantObject(query: TSTypeQuery, scope: Scope, types: TypeEvaluator): Map<string, LiteralValue> | undefined {
  const init = constantOf(query, scope, types);
  if (init?.type !== "ObjectExpression") return undefined;
  const values = new Map<string, LiteralValue>();
  for (const property of init.properties) {
    if (property.type === "SpreadElement" || property.computed) return undefined;
    const key =
      property.key.type === "Identifier"
        ? property.key.name
        : property.key.type === "Literal"
          ? property.key.value
          : undefined;
    const value = literalValue(property.value);
    if (key === undefined || value === undefined) return undefined;
    values.set(String(key), value);
  }
  return values;
}

/** Returns the value of a constant that is declared `as const`. */
function constantOf(query: TSTypeQuery, scope: Scope, types: TypeEvaluator): Expression | undefined {
  if (query.exprName.type === "TSImportType") return undefined;
  const found = types.resolve(namesOf(query.exprName), scope);
  return found?.is === "constant" ? withoutConst(found.init) : undefined;
}

function withoutConst(init: Expression): Expression | undefined {
  if (init.type === "TSSatisfiesExpression") return withoutConst(init.expression);
  if (init.type !== "TSAsExpression") return undefined;
  const { typeAnnotation } = init;
  const isConst = typeAnnotation.type === "TSTypeReference" && namesOf(typeAnnotation.typeName).join() === "const";
  return isConst ? init.expression : undefined;
}
