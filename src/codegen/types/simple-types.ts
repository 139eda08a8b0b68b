import type { TSTupleElement, TSTupleType, TSType } from "oxc-parser";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Draft } from "./schema-draft.ts";
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
  const [what, advice] = refused.get(node.type) ?? ["this type", "write the type out"];
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

/** Evaluates `[T, T]`: a list of exactly that length. */
export function tupleOf(node: TSTupleType, scope: Scope, types: TypeEvaluator): Draft {
  const schemas = node.elementTypes.map((element) => {
    const type = element.type === "TSNamedTupleMember" && !element.optional ? element.elementType : element;
    return isFixed(type)
      ? types.flatten(types.schemaOf(type, scope), type, scope)
      : types.unsupported(type, scope, "a tuple of no fixed length", "write T[] with MinItems and MaxItems");
  });
  const [first = {}, ...others] = schemas;
  if (others.some((other) => !equalJson(other, first))) {
    return types.unsupported(node, scope, "a tuple of different types", "write an object with named properties");
  }
  return { type: "array", items: first, minItems: schemas.length, maxItems: schemas.length };
}

function isFixed(element: TSTupleElement): element is TSType {
  return element.type !== "TSRestType" && element.type !== "TSOptionalType" && element.type !== "TSNamedTupleMember";
}

/** Returns the schema of a type with a fixed set of values. */
export function enumSchema(
  values: readonly LiteralValue[],
  node: { start: number },
  scope: Scope,
  types: TypeEvaluator,
): Draft {
  const kinds = new Set(values.map((value) => typeof value));
  const [kind] = kinds;
  if (kinds.size !== 1 || !kind) {
    return types.unsupported(
      node,
      scope,
      "a mix of kinds of literals",
      "use IntOrString with +kubebuilder:validation:Pattern, or a plain string",
    );
  }
  const unique = [...new Set(values)];
  if (kind === "boolean") return unique.length > 1 ? { type: "boolean" } : { type: "boolean", enum: unique };
  if (kind === "string") return { type: "string", enum: unique };
  if (!unique.every(Number.isInteger)) {
    return types.unsupported(
      node,
      scope,
      "a fraction among the literals",
      "use Float from tsop with +kubebuilder:validation:Enum",
    );
  }
  return { type: "integer", enum: unique };
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
  ["TSThisType", ["this", "write the type out"]],
  ["TSFunctionType", ["a function", "API types are data: remove it"]],
  ["TSConstructorType", ["a constructor", "API types are data: remove it"]],
  ["TSConditionalType", ["a conditional type", "write the type out"]],
  ["TSInferType", ["infer", "write the type out"]],
  [
    "TSTypeQuery",
    ["typeof a value", "write the type out; `(typeof LIST)[number]` works for a list of literals `as const`"],
  ],
  ["TSTemplateLiteralType", ["a template literal type", "use string with +kubebuilder:validation:Pattern"]],
]);
