import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { childIf, items } from "../../../apimachinery/fields.ts";

/** Amounts of resources by their names. */
export type Amounts = Readonly<Record<string, string>>;

/** One item of a LimitRange: what something of a type may use. */
export interface Limit {
  readonly type: string;
  readonly max?: Amounts;
  readonly min?: Amounts;
  readonly default?: Amounts;
  readonly defaultRequest?: Amounts;
  readonly maxLimitRequestRatio?: Amounts;
}

export const limitRanges = { group: "", plural: "limitranges" };

/** The items of a LimitRange. */
export function limitsOf(range: UnstructuredObject): Limit[] {
  return items(childIf(range, "spec"), "limits") as unknown as Limit[];
}
