import type { TSType } from "oxc-parser";
import { cloneJson } from "../../apimachinery/clone.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { recordOrigin } from "../source/rule-origins.ts";
import { membersOfType } from "./members.ts";
import { known, unionOf, useOf, variantsOf, type Draft } from "./schema-draft.ts";
import type { LiteralValue } from "./literals.ts";
import { literalsOf } from "./literal-types.ts";
import { intOrString } from "./known-types.ts";
import { objectUnion } from "./object-union.ts";
import { enumSchema, keywordSchema } from "./simple-types.ts";
import { templateSchema } from "./text-patterns.ts";
import { placeOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";
import { scalarUnion } from "./scalar-union.ts";

/** Evaluates unions: nullable types, enums, int-or-string, and objects that differ. */
export function unionSchema(node: TSType, scope: Scope, types: TypeEvaluator): Draft {
  const members = node.type === "TSUnionType" ? node.types.flatMap(flattenUnion) : [node];
  const nullable = members.some(({ type }) => type === "TSNullKeyword");
  const rest = members.filter(({ type }) => type !== "TSNullKeyword" && type !== "TSUndefinedKeyword");
  const schema = restSchema(rest, { node, scope }, types);
  return nullable ? { ...withoutEnum(schema, node, { scope, types }), nullable: true } : schema;
}

/** Evaluates a union of flat object types; `node` is the place of errors. */
export function unionOfObjects(
  schemas: readonly JsonSchema[],
  node: TSType,
  { scope, types }: { scope: Scope; types: TypeEvaluator },
): Draft {
  const branches = schemas.flatMap((schema) => variantsOf(schema) ?? [withoutNull(schema)]);
  const schema = objectUnion(branches, (path, reason, advice) =>
    types.report.error(placeOfProperty(node, path, { scope, types }), "TSOP_TYPE_CONFLICT", {
      path: [scope.path, ...path].join("."),
      reason,
      advice,
    }),
  );
  recordOrigin(schema, placeOf(node, scope));
  const draft = unionOf(schema, branches);
  return schemas.some(({ nullable }) => nullable) ? { ...draft, nullable: true } : draft;
}

/** A server never finds null in an enum, but skips the branches of allOf for null. */
function withoutEnum(draft: Draft, node: TSType, { scope, types }: { scope: Scope; types: TypeEvaluator }): Draft {
  if (!known(draft, "enum")) return draft;
  const { enum: values, allOf = [], ...rest } = types.flatten(draft, node, scope);
  const schema: Draft = { ...rest, allOf: [...allOf, { enum: values ?? [] }] };
  return draft.enum ? schema : useOf(schema);
}

function restSchema(
  rest: readonly TSType[],
  { node, scope }: { node: TSType; scope: Scope },
  types: TypeEvaluator,
): Draft {
  const [only] = rest;
  if (!only) return types.unsupported(node, scope, "a union without a type", "write `T | null`");
  if (rest.length === 1 && !literalKinds.has(only.type)) return types.schemaOf(only, scope);
  const kinds = new Set(rest.map(({ type }) => type));
  if (rest.length === 2 && kinds.has("TSNumberKeyword") && kinds.has("TSStringKeyword")) return cloneJson(intOrString);
  const literals = rest.map((member) => literalsOf(member, scope, types));
  const values = literals.flatMap((list) => list ?? []);
  const others = rest.filter((_, index) => literals[index] === undefined);
  if (others.length === 0) return enumSchema(values, node, scope, types);
  if (only.type === "TSTypeQuery") return keywordSchema(only, scope, types);
  if (rest.length === 1 && only.type === "TSTemplateLiteralType") return templateSchema(only, scope, types);
  if (rest.length === 1 && only.type === "TSLiteralType")
    return types.unsupported(only, scope, "this literal", "write a text, a number or a boolean");
  const schemas = others.map((member) => types.flatten(types.schemaOf(member, scope), member, scope));
  return joinedSchema(schemas, values, node, { scope, types });
}

/** The types that may be values. */
const literalKinds: ReadonlySet<TSType["type"]> = new Set(["TSLiteralType", "TSTypeQuery", "TSTemplateLiteralType"]);

/** Joins the flat types of a union with its literals. */
export function joinedSchema(
  schemas: readonly JsonSchema[],
  literals: readonly LiteralValue[],
  node: TSType,
  { scope, types }: { scope: Scope; types: TypeEvaluator },
): Draft {
  if (literals.length === 0 && schemas.every(isObject)) return unionOfObjects(schemas, node, { scope, types });
  const others = schemas.filter((schema) => !isEnum(schema));
  const values = [...literals, ...schemas.filter(isEnum).flatMap((schema) => schema.enum as LiteralValue[])];
  if (others.length === 0) return enumSchema(values, node, scope, types);
  const scalar = scalarUnion(others, values);
  return scalar ?? types.unsupported(node, scope, "a union of these types", adviceFor(schemas));
}

/** Reports whether a schema is an object with declared properties. */
function isObject(schema: JsonSchema): boolean {
  const { type, properties, additionalProperties } = schema;
  const isOpen = !properties && schema["x-kubernetes-preserve-unknown-fields"];
  return type === "object" && additionalProperties === undefined && !isOpen;
}

/** Reports whether a schema is a set of literals, perhaps with a description. */
function isEnum({ type: _type, enum: values, description: _description, ...rest }: JsonSchema): boolean {
  return values !== undefined && Object.keys(rest).length === 0;
}

function adviceFor(schemas: readonly JsonSchema[]): string {
  if (schemas.some(({ type }) => type === "object" || type === "array")) return anyAdvice;
  return schemas.some(({ type }) => type === "boolean") ? booleanAdvice : scalarAdvice;
}

const scalarAdvice =
  "use one type with +kubebuilder:validation:XValidation, or IntOrString from tsop for numbers and texts";
const booleanAdvice = 'use string literals for all values: "true" | "false" | "auto"';
const anyAdvice =
  "use an object with an optional property for each form, JSONValue from tsop, or keep the type, with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields on its fields";

function withoutNull({ nullable: _nullable, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Finds the declaration of a property of a union, or the last one on the way. */
function placeOfProperty(
  node: TSType,
  path: readonly string[],
  { scope, types }: { scope: Scope; types: TypeEvaluator },
): ReturnType<typeof placeOf> {
  let place = placeOf(node, scope);
  let members = membersOfType(node, scope.module, types.sources);
  for (const name of path) {
    const member = members.find((one) => one.name === name);
    if (!member) return place;
    place = { file: member.module.file, offset: member.node.start };
    members = member.type ? membersOfType(member.type, member.module, types.sources) : [];
  }
  return place;
}

/** `never` adds nothing to a union. */
function flattenUnion(node: TSType): TSType[] {
  if (node.type === "TSNeverKeyword") return [];
  if (node.type === "TSParenthesizedType") return flattenUnion(node.typeAnnotation);
  return node.type === "TSUnionType" ? node.types.flatMap(flattenUnion) : [node];
}
