import type { Expression, TSTypeParameterInstantiation } from "oxc-parser";
import { cloneJson } from "../../apimachinery/clone.ts";
import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";
import { inheritRules, type Draft } from "./draft.ts";
import { mergeInto } from "./merge.ts";
import { placeOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** What stands after `extends`. */
export interface Base {
  readonly expression: Expression;
  readonly typeArguments: TSTypeParameterInstantiation | null;
  readonly start: number;
}

/** Adds what a base type brings: properties that are not declared again, and its rules after the type's own. */
export function mergeBase(draft: Draft, base: Base, scope: Scope, types: TypeEvaluator): void {
  const schema = baseSchema(base, scope, types);
  if (!schema) return;
  if (schema.type !== "object" || schema.additionalProperties) {
    types.unsupported(base, scope, "extending a type that has no fixed properties", "make it a property");
    return;
  }
  for (const name of Object.keys(draft.properties ?? {})) {
    delete schema.properties?.[name];
    schema.required = schema.required?.filter((required) => required !== name) ?? [];
  }
  inheritRules(draft, schema["x-kubernetes-validations"] ?? []);
  delete schema["x-kubernetes-validations"];
  if (schema.required?.length === 0) delete schema.required;
  mergeInto(draft, schema, (key) =>
    types.report.error(placeOf(base, scope), "TSOP_TYPE_CONFLICT", {
      path: scope.path,
      reason: `${key} differs between the joined types`,
      advice: "let only one of them have it",
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
    return cloneJson(
      types.declaredSchema(found, types.bind(found, typeArguments?.params ?? [], { node: { start }, scope })),
    );
  }
  // Utility types such as Omit<T, K> stand after extends too.
  const node = { type: "TSTypeReference", typeName, typeArguments, start, end: start } as never;
  return types.flatten(types.schemaOf(node, scope), { start }, scope);
}

function namesIn(expression: Expression): string[] | undefined {
  if (expression.type === "Identifier") return [expression.name];
  if (expression.type !== "MemberExpression" || expression.property.type !== "Identifier") return undefined;
  const left = namesIn(expression.object);
  return left && [...left, expression.property.name];
}
