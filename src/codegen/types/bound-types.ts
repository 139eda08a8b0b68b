import type { TSType } from "oxc-parser";
import { limitMarkers } from "../markers/limits.ts";
import { bind, schemaNode, type Draft } from "./schema-draft.ts";
import { literalsOf } from "./literal-types.ts";
import { namesOf, placeOf, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** The types of tsop that limit a value, such as `Min<1>`, and the markers that say the same. */
const markerNames: Readonly<Record<string, readonly string[]>> = {
  Min: ["Minimum"],
  Max: ["Maximum"],
  ExclusiveMin: ["Minimum", "ExclusiveMinimum"],
  ExclusiveMax: ["Maximum", "ExclusiveMaximum"],
  MultipleOf: ["MultipleOf"],
  MinLength: ["MinLength"],
  MaxLength: ["MaxLength"],
  Pattern: ["Pattern"],
  MinItems: ["MinItems"],
  MaxItems: ["MaxItems"],
  MinProperties: ["MinProperties"],
  MaxProperties: ["MaxProperties"],
};

/** Returns the name of a bound if a type is one. */
export function boundName(node: TSType, scope: Scope, types: TypeEvaluator): string | undefined {
  if (node.type === "TSImportType") {
    const name = node.qualifier?.type === "Identifier" ? node.qualifier.name : "";
    return node.source.value === "tsop" && Object.hasOwn(markerNames, name) ? name : undefined;
  }
  if (node.type !== "TSTypeReference") return undefined;
  const found = types.resolve(namesOf(node.typeName), scope);
  const isBound = found?.is === "package" && found.specifier === "tsop" && Object.hasOwn(markerNames, found.name);
  return isBound ? found.name : undefined;
}

/** Applies `Min<1>` and others to the type that they stand next to, as their markers would. */
export function applyBounds(draft: Draft, bounds: readonly TSType[], scope: Scope, types: TypeEvaluator): void {
  for (const node of bounds) {
    const name = boundName(node, scope, types) ?? "";
    const argument = "typeArguments" in node ? node.typeArguments?.params[0] : undefined;
    const [value, ...others] = (argument && literalsOf(argument, scope, types)) ?? [];
    const text = scope.module.file.text.slice(node.start, node.end);
    const refuse = (reason: string, advice: string): void =>
      types.report.error(placeOf(node, scope), "TSOP_TYPE_CONFLICT", { path: scope.path, reason, advice });
    if (value === undefined || others.length > 0) {
      refuse(`${text} needs a literal`, `write a value in the type: ${name}<${name === "Pattern" ? '"^[a-z]+$"' : 1}>`);
      continue;
    }
    for (const marker of markerNames[name] ?? []) {
      const limit = limitMarkers.find((one) => one.name === `kubebuilder:validation:${marker}`);
      limit?.apply?.(
        schemaNode(draft, { misfit: (reason, advice) => refuse(`${text} ${reason}`, advice) }),
        marker.startsWith("Exclusive") ? true : value,
      );
    }
    bind(draft, markerNames[name] ?? []);
  }
}
