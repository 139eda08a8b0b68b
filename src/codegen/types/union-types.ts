import type { TSType } from "oxc-parser";
import { cloneJson } from "../../apimachinery/clone.ts";
import { known, useOf, type Draft } from "./schema-draft.ts";
import { literalsOf } from "./literal-types.ts";
import { intOrString } from "./known-types.ts";
import { enumSchema } from "./simple-types.ts";
import type { Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Evaluates unions: nullable types, enums, int-or-string; all others are rejected. */
export function unionSchema(node: TSType, scope: Scope, types: TypeEvaluator): Draft {
  const members = node.type === "TSUnionType" ? node.types.flatMap(flattenUnion) : [node];
  const nullable = members.some(({ type }) => type === "TSNullKeyword");
  const rest = members.filter(({ type }) => type !== "TSNullKeyword" && type !== "TSUndefinedKeyword");
  const schema = restSchema(rest, { node, scope }, types);
  return nullable ? { ...withoutEnum(schema, node, { scope, types }), nullable: true } : schema;
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
  if (rest.length === 1 && only.type !== "TSLiteralType") return types.schemaOf(only, scope);
  const kinds = new Set(rest.map(({ type }) => type));
  if (rest.length === 2 && kinds.has("TSNumberKeyword") && kinds.has("TSStringKeyword")) return cloneJson(intOrString);
  const literals = rest.map((member) => literalsOf(member, scope, types));
  if (literals.every((values) => values !== undefined)) return enumSchema(literals.flat(), node, scope, types);
  const others = rest.filter((_, index) => literals[index] === undefined);
  if (others.every(isText) && literals.flat().every((value) => value === undefined || typeof value === "string")) {
    const advice = "write string, which includes the literals, and name these in the comment";
    return types.unsupported(node, scope, "a union of string and literals", advice);
  }
  if (others.length < rest.length || [...kinds].some((kind) => scalarKinds.has(kind))) {
    const areScalars = others.every(({ type }) => scalarKinds.has(type));
    return types.unsupported(node, scope, "a union of these types", areScalars ? scalarAdvice : anyAdvice);
  }
  return types.unsupported(
    node,
    scope,
    "a union of object types",
    "put each variant in an optional property, with +kubebuilder:validation:ExactlyOneOf={a,b} on the type",
  );
}

const scalarAdvice = "use IntOrString from tsop with +kubebuilder:validation:Pattern or XValidation, or a plain string";
const anyAdvice =
  "use JSONValue from tsop, or keep the type, with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields on its fields";

const scalarKinds: ReadonlySet<TSType["type"]> = new Set(["TSStringKeyword", "TSNumberKeyword", "TSBooleanKeyword"]);

/** `string`, or `string & {}`, by which an editor still proposes the literals of a union. */
function isText(node: TSType): boolean {
  return node.type === "TSStringKeyword" || (node.type === "TSIntersectionType" && node.types.some(isText));
}

function flattenUnion(node: TSType): TSType[] {
  if (node.type === "TSParenthesizedType") return flattenUnion(node.typeAnnotation);
  return node.type === "TSUnionType" ? node.types.flatMap(flattenUnion) : [node];
}
