import type { TSIndexedAccessType, TSMappedType, TSType, TSTypeOperator } from "oxc-parser";
import { cloneJson } from "../../apimachinery/clone.ts";
import type { Draft } from "./schema-draft.ts";
import { keysOf, literalsOf } from "./literal-types.ts";
import { propertyOf } from "./object-types.ts";
import { namesOf, type Bound, type Scope } from "./scope.ts";
import { enumSchema } from "./simple-types.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Evaluates `readonly T[]`, and `keyof T`: one of the property names. */
export function operatorSchema(node: TSTypeOperator, scope: Scope, types: TypeEvaluator): Draft {
  if (node.operator === "readonly") return types.schemaOf(node.typeAnnotation, scope);
  if (node.operator === "unique") return types.unsupported(node, scope, "unique symbol", "use string");
  const keys = keysOf(node.typeAnnotation, scope, types);
  return keys
    ? enumSchema(keys, node, scope, types)
    : types.unsupported(node, scope, "keyof a type without properties", "write the names explicitly");
}

/** Evaluates `T["x"]`, `T[number]`, and the values of constants. */
export function indexedAccess(node: TSIndexedAccessType, scope: Scope, types: TypeEvaluator): Draft {
  const values = literalsOf(node, scope, types);
  if (values) return enumSchema(values, node, scope, types);
  const advice = "write the type explicitly";
  if (node.indexType.type === "TSNumberKeyword") {
    const { items } = types.flatten(types.schemaOf(node.objectType, scope), node, scope);
    return items ? cloneJson(items) : types.unsupported(node, scope, "this indexed type", advice);
  }
  const [name] = literalsOf(node.indexType, scope, types) ?? [];
  if (name === undefined) return types.unsupported(node, scope, "this indexed type", advice);
  const property = findProperty(node.objectType, String(name), scope, types);
  if (property) return types.schemaOf(property.node, { ...property.scope, path: scope.path, stack: scope.stack });
  // A type of Kubernetes has no declaration.
  const { properties } = types.flatten(types.schemaOf(node.objectType, scope), node, scope);
  const schema = properties?.[String(name)];
  return schema ? cloneJson(schema) : types.unsupported(node, scope, "this indexed type", advice);
}

/** Evaluates `{ [K in "a" | "b"]: T }`. */
export function mappedSchema(node: TSMappedType, scope: Scope, types: TypeEvaluator): Draft {
  const names = literalsOf(node.constraint, scope, types)?.map(String);
  const template = node.typeAnnotation;
  if (!names || !template || node.nameType) {
    return types.unsupported(node, scope, "this mapped type", "write the properties explicitly");
  }
  const properties = names.map((name) => {
    const key = {
      type: "TSLiteralType",
      literal: { type: "Literal", value: name, raw: JSON.stringify(name), start: node.start, end: node.end },
      start: node.start,
      end: node.end,
    } as TSType;
    const parameters = new Map<string, Bound>([...scope.parameters, [node.key.name, { node: key, scope }]]);
    return [name, types.schemaOf(template, { ...scope, parameters, path: `${scope.path}.${name}` })] as const;
  });
  const draft: Draft = { type: "object", properties: Object.fromEntries(properties) };
  if (node.optional !== true && node.optional !== "+") draft.required = names.toSorted();
  return draft;
}

/** Finds the declaration of a property. */
function findProperty(node: TSType, name: string, scope: Scope, types: TypeEvaluator): Bound | undefined {
  if (node.type === "TSParenthesizedType") return findProperty(node.typeAnnotation, name, scope, types);
  if (node.type === "TSTypeLiteral") {
    const property = node.members.map(propertyOf).find((candidate) => candidate?.name === name);
    return property?.type && { node: property.type, scope };
  }
  if (node.type !== "TSTypeReference") return undefined;
  const names = namesOf(node.typeName);
  const parameter = scope.parameters.get(names.join("."));
  if (parameter) return findProperty(parameter.node, name, parameter.scope, types);
  const found = types.resolve(names, scope);
  if (found?.is !== "type") return undefined;
  const { parameters } = types.bind(found, node.typeArguments?.params ?? [], { node, scope });
  const inner: Scope = { module: found.module, parameters, path: scope.path, stack: scope.stack };
  const { node: declaration } = found.declared;
  if (declaration.type === "TSTypeAliasDeclaration")
    return findProperty(declaration.typeAnnotation, name, inner, types);
  if (declaration.type !== "TSInterfaceDeclaration") return undefined;
  const property = declaration.body.body.map(propertyOf).find((candidate) => candidate?.name === name);
  return property?.type && { node: property.type, scope: inner };
}
