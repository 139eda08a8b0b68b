import type { TSTupleElement, TSTupleType, TSType } from "oxc-parser";
import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Draft } from "./schema-draft.ts";
import { intOrString } from "./known-types.ts";
import type { LiteralValue } from "./literals.ts";
import type { Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/**
 * Evaluates keywords such as `string` and `number`. A keyword without a schema is rejected with the type to use
 * instead.
 */
export function keywordSchema(node: TSType, scope: Scope, types: TypeEvaluator): Draft {
  const type = keywords.get(node.type);
  if (type) return { type };
  const [what, advice] = refused.get(node.type) ?? ["this type", "write the type explicitly"];
  return types.unsupported(node, scope, what, advice);
}

const keywords = new Map<TSType["type"], NonNullable<Draft["type"]>>([
  ["TSStringKeyword", "string"],
  ["TSNumberKeyword", "integer"],
  ["TSBooleanKeyword", "boolean"],
]);

export function arrayOf(items: Draft): Draft {
  return { type: "array", items };
}

/** Evaluates `[T, T]`, `[T, T?]` and `[T, ...T[]]`: a list of one type with limits of its length. */
export function tupleOf(node: TSTupleType, scope: Scope, types: TypeEvaluator): Draft {
  const elements = node.elementTypes.map(elementOf);
  const schemas = elements.map(({ type }) => types.flatten(types.schemaOf(type, scope), type, scope));
  const isOpen = elements.some(({ count }) => count === "many");
  const lists = schemas.map((schema, index) => (elements[index]?.count === "many" ? (schema.items ?? {}) : schema));
  const [first = {}, ...others] = lists;
  if (others.some((other) => !equalJson(other, first))) {
    return types.unsupported(node, scope, "a tuple of different types", "write an object with named properties");
  }
  const minItems = elements.filter(({ count }) => count === "one").length;
  return {
    type: "array",
    items: first,
    ...(minItems > 0 ? { minItems } : {}),
    ...(isOpen ? {} : { maxItems: lists.length }),
  };
}

interface Element {
  readonly type: TSType;
  readonly count: "one" | "optional" | "many";
}

/** Unwraps `name: T`, `T?` and `...T[]`. */
function elementOf(element: TSTupleElement): Element {
  if (element.type === "TSOptionalType") return { type: element.typeAnnotation, count: "optional" };
  if (element.type === "TSRestType") {
    const { typeAnnotation: rest } = element;
    return { type: rest.type === "TSNamedTupleMember" ? elementOf(rest).type : rest, count: "many" };
  }
  if (element.type !== "TSNamedTupleMember") return { type: element, count: "one" };
  const inner = elementOf(element.elementType);
  return element.optional ? { ...inner, count: "optional" } : inner;
}

/** Returns the schema of a type with a fixed set of values. */
export function enumSchema(
  values: readonly LiteralValue[],
  node: { start: number },
  scope: Scope,
  types: TypeEvaluator,
): Draft {
  const kinds = new Set(values.map((value) => typeof value));
  const unique = [...new Set(values)];
  if (kinds.has("boolean")) {
    if (kinds.size === 1) return unique.length > 1 ? { type: "boolean" } : { type: "boolean", enum: unique };
    const advice = 'use string literals for all values: "true" | "false" | "auto"';
    return types.unsupported(node, scope, "a union of a boolean and other literals", advice);
  }
  if (!kinds.has("number")) return { type: "string", enum: unique };
  const isWhole = unique.every((value) => typeof value === "string" || Number.isInteger(value));
  if (kinds.size === 1) return { type: isWhole ? "integer" : "number", enum: unique };
  if (isWhole) return { ...cloneJson(intOrString), enum: unique };
  return types.unsupported(node, scope, "a union of a fraction and text", "use string literals for all values");
}

const rawAdvice = "use JSONValue or RawExtension from tsop, or +kubebuilder:validation:Schemaless";

const refused = new Map<TSType["type"], readonly [string, string]>([
  ["TSAnyKeyword", ["any", rawAdvice]],
  ["TSUnknownKeyword", ["unknown", rawAdvice]],
  ["TSObjectKeyword", ["object", rawAdvice]],
  ["TSBigIntKeyword", ["bigint", "use Int64 from tsop, or string"]],
  ["TSSymbolKeyword", ["symbol", "use string"]],
  ["TSNullKeyword", ["null alone", "write `T | null`"]],
  ["TSUndefinedKeyword", ["undefined alone", "write `field?: T`"]],
  ["TSVoidKeyword", ["void", "remove the field"]],
  ["TSNeverKeyword", ["never", "remove the field"]],
  ["TSThisType", ["this", "write the type explicitly"]],
  ["TSFunctionType", ["a function", "remove it: API types are plain data"]],
  ["TSConstructorType", ["a constructor", "remove it: API types are plain data"]],
  ["TSInferType", ["infer", "write the type explicitly"]],
  [
    "TSTypeQuery",
    ["typeof a value", "write the type explicitly; `(typeof LIST)[number]` works for a list of literals `as const`"],
  ],
]);
