import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { parseResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import { tooLarge } from "../../refusals.ts";
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

const amountLists = ["min", "max", "default", "defaultRequest", "maxLimitRequestRatio"];
const limitRanges = { group: "", plural: "limitranges" };

/** Reports whether any namespace has a LimitRange. */
export function hasLimitRanges(store: Store): boolean {
  return store.collection(limitRanges).size > 0;
}

/** The maximum number of amounts of LimitRanges that are compared with containers, or given to them. */
const mostChecks = 20_000;

/**
 * Returns the entries of each LimitRange of a namespace. Throws 413 if there are too many amounts for an object with
 * this many containers.
 */
export function limitsIn(store: Store, namespace: string, containers: number): LimitItem[][] {
  const ranges = [...store.collection(limitRanges).entries(`${namespace}/`)];
  let checks = 0;
  for (const [, range] of ranges)
    for (const item of items(childIf(range, "spec"), "limits"))
      for (const name of amountLists) {
        checks += containers * Object.keys(childIf(item, name) ?? {}).length;
        if (checks > mostChecks)
          throw tooLarge(`the LimitRanges of its namespace need more than ${mostChecks} checks of its containers`);
      }
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
