import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { parseResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import type { Store } from "../../storage/store.ts";

/** One entry of a LimitRange: limits for containers, pods or claims. */
export interface LimitItem {
  readonly type: string;
  readonly min: ResourceList;
  readonly max: ResourceList;
  readonly default: ResourceList;
  readonly defaultRequest: ResourceList;
  readonly maxLimitRequestRatio: ResourceList;
}

const limitRanges = { group: "", plural: "limitranges" };

/** Reports whether any namespace has a LimitRange. */
export function hasLimitRanges(store: Store): boolean {
  return store.collection(limitRanges).size > 0;
}

/** Returns the entries of each LimitRange of a namespace. */
export function limitsIn(store: Store, namespace: string): LimitItem[][] {
  const ranges = [...store.collection(limitRanges).entries(`${namespace}/`)];
  return ranges.map(([, range]) =>
    items(childIf(range, "spec"), "limits").map((item) => {
      const amounts = (name: string): ResourceList => parseResources(childIf(item, name));
      return {
        type: textOf(item["type"]),
        min: amounts("min"),
        max: amounts("max"),
        default: amounts("default"),
        defaultRequest: amounts("defaultRequest"),
        maxLimitRequestRatio: amounts("maxLimitRequestRatio"),
      };
    }),
  );
}
