import type { Expression, TSTypeParameterInstantiation } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { forbiddenIn, inheritRules, type Draft } from "./schema-draft.ts";
import { merge } from "./merge.ts";
import { placeOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** A type after `extends`. */
export interface Base {
  readonly expression: Expression;
  readonly typeArguments: TSTypeParameterInstantiation | null;
  readonly start: number;
}

/** Adds a base type: its properties that are not declared again, and its rules after the type's own. */
export function withBase(draft: Draft, base: Base, scope: Scope, types: TypeEvaluator): Draft {
  const schema = baseSchema(base, scope, types);
  if (!schema) return draft;
  if (schema.type !== "object" || schema.additionalProperties) {
    types.unsupported(base, scope, "extending a type that has no fixed properties", "make it a property");
    return draft;
  }
  const { "x-kubernetes-validations": rules = [], properties = {}, required = [], ...rest } = schema;
  inheritRules(draft, rules);
  const redeclared = new Set([...Object.keys(draft.properties ?? {}), ...forbiddenIn(draft)]);
  const stillRequired = required.filter((name) => !redeclared.has(name));
  const inheritedPart: JsonSchema = {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !redeclared.has(name))),
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
  };
  return merge(draft, inheritedPart, (key) =>
    types.report.error(placeOf(base, scope), "TSOP_TYPE_CONFLICT", {
      path: scope.path,
      reason: `${key} differs between the combined types`,
      advice: "declare it in only one of them",
    }),
  );
}

function baseSchema(
  { expression, typeArguments, start }: Base,
  scope: Scope,
  types: TypeEvaluator,
): JsonSchema | undefined {
  const names = namesIn(expression);
  if (!names) {
    types.unsupported({ start }, scope, "this expression after extends", "name a type");
    return undefined;
  }
  const name = names.join(".");
  const typeName = { type: "Identifier", name, start, end: start } as const;
  const found = types.resolve(names, scope);
  if (found?.is === "type") {
    return types.declaredSchema(found, types.bind(found, typeArguments?.params ?? [], { node: { start }, scope }));
  }
  // Utility types such as Omit<T, K> can follow extends too.
  const node = { type: "TSTypeReference", typeName, typeArguments, start, end: start } as never;
  return types.flatten(types.schemaOf(node, scope), { start }, scope);
}

function namesIn(expression: Expression): string[] | undefined {
  if (expression.type === "Identifier") return [expression.name];
  if (expression.type !== "MemberExpression" || expression.property.type !== "Identifier") return undefined;
  const left = namesIn(expression.object);
  return left && [...left, expression.property.name];
}
