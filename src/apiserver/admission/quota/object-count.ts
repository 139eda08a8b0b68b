import { parseQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import type { QuotaEvaluator } from "./quota-evaluator.ts";

/** Core resources that a quota also counts by their plural. */
const plain: readonly string[] = ["configmaps", "replicationcontrollers", "resourcequotas", "secrets"];

/** Returns the evaluator of a resource of which only the objects count. */
export function objectCount(group: string, plural: string): QuotaEvaluator {
  const names = [countName(group, plural), ...(group === "" && plain.includes(plural) ? [plural] : [])];
  return {
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === undefined,
    tracks: (name) => names.includes(name),
    usageOf: () => new Map(names.map((name) => [name, one])),
  };
}

/** Returns the name by which a quota counts the objects of a resource. */
export function countName(group: string, plural: string): string {
  return group ? `count/${plural}.${group}` : `count/${plural}`;
}

export const one: ParsedQuantity = parseQuantity("1");
