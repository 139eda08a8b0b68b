import type { TSType } from "oxc-parser";
import { propertyOf } from "./object-types.ts";
import { namesOf, type Bound, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Finds the declarations of a property, one for each branch of a union; `undefined` if a branch declares none. */
export function propertiesNamed(name: string, node: TSType, scope: Scope, types: TypeEvaluator): Bound[] | undefined {
  if (node.type === "TSParenthesizedType") return propertiesNamed(name, node.typeAnnotation, scope, types);
  if (node.type === "TSUnionType") {
    const found = node.types.map((part) => propertiesNamed(name, part, scope, types));
    return found.every((part) => part !== undefined) ? found.flat() : undefined;
  }
  if (node.type === "TSTypeLiteral") return typeIn(node.members, name, scope);
  if (node.type !== "TSTypeReference") return undefined;
  const names = namesOf(node.typeName);
  const parameter = scope.parameters.get(names.join("."));
  if (parameter) return propertiesNamed(name, parameter.node, parameter.scope, types);
  const found = types.resolve(names, scope);
  if (found?.is !== "type") return undefined;
  const { parameters } = types.bind(found, node.typeArguments?.params ?? [], { node, scope });
  const inner: Scope = { module: found.module, parameters, path: scope.path, stack: scope.stack };
  const { node: declaration } = found.declared;
  if (declaration.type === "TSTypeAliasDeclaration")
    return propertiesNamed(name, declaration.typeAnnotation, inner, types);
  return declaration.type === "TSInterfaceDeclaration" ? typeIn(declaration.body.body, name, inner) : undefined;
}

function typeIn(members: readonly Parameters<typeof propertyOf>[0][], name: string, scope: Scope): Bound[] | undefined {
  const property = members.map(propertyOf).find((candidate) => candidate?.name === name);
  return property?.type ? [{ node: property.type, scope }] : undefined;
}
