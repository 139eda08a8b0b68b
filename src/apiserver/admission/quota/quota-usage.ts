import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { addResources, parseResources, pickResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { mapAt, textsAt } from "../../kinds/printing/field-access.ts";
import type { QuotaEvaluator, QuotaScope } from "./quota-evaluator.ts";

/** Returns the limits of a quota: as they are wanted, or as they hold since its usage is known. */
export function hardOf(quota: UnstructuredObject, part: "spec" | "status"): ResourceList {
  return parseResources(mapAt(quota, part, "hard"));
}

/** Reports whether an object is in all scopes of a quota. */
export function isInScopes(quota: UnstructuredObject, evaluator: QuotaEvaluator, object: UnstructuredObject): boolean {
  return scopesOf(quota).every((selector) => evaluator.isInScope?.(selector, object) ?? false);
}

/** Returns all scopes of a quota: plain ones, and those of its selector. */
function scopesOf(quota: UnstructuredObject): QuotaScope[] {
  const selector = childIf(childIf(quota, "spec"), "scopeSelector");
  return [
    ...textsAt(quota, "spec", "scopes").map((scopeName) => ({ scopeName, operator: "Exists", values: [] })),
    ...items(selector, "matchExpressions").map(({ scopeName, operator, values = [] }) => ({
      scopeName: textOf(scopeName),
      operator: textOf(operator),
      values: values as string[],
    })),
  ];
}

/** Returns how much of a quota's resources the objects of one resource use. */
export function usageOfAll(
  quota: UnstructuredObject,
  evaluator: QuotaEvaluator,
  { objects, now }: { readonly objects: readonly UnstructuredObject[]; readonly now: number },
): ResourceList {
  const tracked = [...hardOf(quota, "spec").keys()].filter((name) => evaluator.tracks(name));
  let used: ResourceList = new Map(tracked.map((name) => [name, parseQuantity("0")]));
  for (const object of objects)
    if (isInScopes(quota, evaluator, object)) used = addResources(used, evaluator.usageOf(object, now));
  return pickResources(used, (name) => tracked.includes(name));
}
