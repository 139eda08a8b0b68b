import type { TSConditionalType, TSType } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { branchesFor, literalsOf } from "./literal-types.ts";
import type { Draft } from "./schema-draft.ts";
import type { Scope } from "./scope.ts";
import { enumSchema } from "./simple-types.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";
import { joinedSchema } from "./union-types.ts";

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
