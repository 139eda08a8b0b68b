import type { TSIndexedAccessType, TSMappedType, TSType, TSTypeOperator, TSConditionalType } from "oxc-parser";
import { cloneJson } from "../../apimachinery/clone.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { commonPart, forbid, type Draft } from "./schema-draft.ts";
import { constantsOf, keysOf, literalsOf, literalType, branchesFor } from "./literal-types.ts";
import { propertiesNamed } from "./property-types.ts";
import type { Bound, Scope } from "./scope.ts";
import { enumSchema } from "./simple-types.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";
import { joinedSchema } from "./union-types.ts";

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
  const names = literalsOf(node.indexType, scope, types)?.map(String) ?? [];
  const parts = [...new Set(names)].map((name) => propertyType(node, name, scope, types));
  if (parts.length === 0 || parts.includes(undefined))
    return types.unsupported(node, scope, "this indexed type", advice);
  const [only = {}] = parts;
  if (parts.length === 1) return only;
  const schemas = parts.flatMap((part) => (part ? [types.flatten(part, node, scope)] : []));
  return joinedSchema(schemas, [], node, { scope, types });
}

function propertyType(node: TSIndexedAccessType, name: string, scope: Scope, types: TypeEvaluator): Draft | undefined {
  const [property, ...others] = propertiesNamed(name, node.objectType, scope, types) ?? [];
  if (property && others.length === 0)
    return types.schemaOf(property.node, { ...property.scope, path: scope.path, stack: scope.stack });
  // A type of Kubernetes has no declaration.
  const { properties } = types.flatten(types.schemaOf(node.objectType, scope), node, scope);
  const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema && cloneJson(schema);
}

/** Evaluates `{ [K in "a" | "b"]: T }`. */
export function mappedSchema(node: TSMappedType, scope: Scope, types: TypeEvaluator): Draft {
  const { constraint, typeAnnotation: template } = node;
  const source = sourceOf(constraint, scope, types);
  if (source && source.type !== "object" && source.type !== "array") return source; // as the compiler does with string
  const names = literalsOf(constraint, scope, types)?.map(String);
  if (!names && template && constraint.type === "TSStringKeyword")
    return { type: "object", additionalProperties: types.schemaOf(template, { ...scope, path: `${scope.path}[key]` }) };
  if (!names || !template) {
    return types.unsupported(node, scope, "this mapped type", "write the properties explicitly");
  }
  const isOptional = node.optional === true || node.optional === "+";
  const isRequired = (name: string): boolean =>
    !isOptional && (node.optional === "-" || !source || source.required?.includes(name) === true);
  if (isOptional && template.type === "TSNeverKeyword") {
    const nothing: Draft = { type: "object" };
    forbid(nothing, names);
    return nothing;
  }
  const required: string[] = [];
  const properties = names.flatMap((name) => {
    const key = literalType(name, node);
    const parameters = new Map<string, Bound>([...scope.parameters, [node.key.name, { node: key, scope }]]);
    const inner = { ...scope, parameters, path: `${scope.path}.${name}` };
    const renamings = node.nameType ? literalsOf(node.nameType, inner, types) : [name];
    if (!renamings) types.unsupported(node, scope, "this mapped type", "write the properties explicitly");
    const [renamed] = renamings ?? [];
    if (renamed === undefined) return []; // a name that is `never` leaves the property out
    if (isRequired(name)) required.push(String(renamed));
    const own = isSame(template, node, scope) ? source?.properties?.[name] : undefined;
    return [[String(renamed), own ?? types.schemaOf(template, inner)] as const];
  });
  const draft: Draft = { type: "object", properties: Object.fromEntries(properties) };
  if (required.length > 0) draft.required = required.toSorted();
  return draft;
}

/** Returns the type whose properties `[K in keyof T]` takes over, with what is optional in it. */
function sourceOf(constraint: TSType, scope: Scope, types: TypeEvaluator): JsonSchema | undefined {
  if (constraint.type !== "TSTypeOperator" || constraint.operator !== "keyof") return undefined;
  const { typeAnnotation: node } = constraint;
  return constantsOf(node, scope, types)
    ? undefined
    : commonPart(types.flatten(types.schemaOf(node, scope), node, scope));
}

/** Reports whether a mapped type keeps the types of the properties: `[K in keyof T]: T[K]`. */
function isSame(template: TSType, { key, constraint }: TSMappedType, { module }: Scope): boolean {
  const textOf = ({ start, end }: { start: number; end: number }): string => module.file.text.slice(start, end);
  if (template.type !== "TSIndexedAccessType" || constraint.type !== "TSTypeOperator") return false;
  return textOf(template.indexType) === key.name && textOf(template.objectType) === textOf(constraint.typeAnnotation);
}

/** Evaluates `T extends U ? A : B` if T is literals, or if U is a keyword such as `string` or `object`. */
export function conditionalSchema(node: TSConditionalType, scope: Scope, types: TypeEvaluator): Draft {
  const values = literalsOf(node, scope, types);
  if (values && values.length > 0) return enumSchema(values, node, scope, types);
  const branches = branchesFor(node, scope, types)?.filter((branch) => branch.node.type !== "TSNeverKeyword");
  const [only, ...others] = branches ?? [];
  if (only && others.length === 0) return types.schemaOf(only.node, { ...only.scope, path: scope.path });
  if (only) {
    const schemas = [only, ...others].map((each) => types.flatten(types.schemaOf(each.node, each.scope), node, scope));
    return joinedSchema(schemas, [], node, { scope, types });
  }
  const test = testOf(node.extendsType);
  const { type, nullable } = test ? types.flatten(types.schemaOf(node.checkType, scope), node, scope) : {};
  if (branches || !test || !type || nullable)
    return types.unsupported(node, scope, "this conditional type", "write the type that it evaluates to");
  return types.schemaOf(test.includes(type) ? node.trueType : node.falseType, scope);
}

/** Returns the types of schemas whose values a keyword includes. */
function testOf(node: TSType): readonly NonNullable<JsonSchema["type"]>[] | undefined {
  if (node.type === "TSParenthesizedType") return testOf(node.typeAnnotation);
  if (node.type === "TSTypeOperator" && node.operator === "readonly") return testOf(node.typeAnnotation);
  if (node.type === "TSStringKeyword") return ["string"];
  if (node.type === "TSNumberKeyword") return ["integer", "number"];
  if (node.type === "TSBooleanKeyword") return ["boolean"];
  if (node.type === "TSObjectKeyword") return ["object", "array"];
  const isAnyList = node.type === "TSArrayType" && /^TS(Any|Unknown)Keyword$/.test(node.elementType.type);
  return isAnyList ? ["array"] : undefined;
}
