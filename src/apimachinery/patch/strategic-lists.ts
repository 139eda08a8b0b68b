import { equalJson } from "../equal.ts";
import { goText } from "../go-text.ts";
import { isObject } from "../is-object.ts";
import { StrategicMergeError, type Fields } from "./strategic-patch.ts";

type Merge = (item: Fields, change: Fields) => Fields;

/** Merges a patch into a list with the strategy merge: scalars are united, objects are matched by the merge key. */
export function mergeItems(
  live: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string | undefined,
  merge: Merge,
): unknown[] {
  const all = [...live, ...patch];
  if (all.some(Array.isArray)) throw new StrategicMergeError(422, "lists of lists are not supported");
  if (!all.some(isObject)) {
    const merged = all.filter((item, index) => all.indexOf(item) === index);
    return arrange({ merged, first: patch, live, mergeKey: undefined });
  }
  if (mergeKey === undefined) throw new StrategicMergeError(500, "cannot merge lists without merge key");
  const changes = patch.filter((item) => !isObject(item) || item["$patch"] === undefined);
  const base = applyDirectives(live, patch.filter(isObject), mergeKey);
  if (base === undefined) return changes;
  const merged = [...base];
  for (const change of changes) {
    const key = keyOf(change, mergeKey);
    const index = merged.findIndex((item) => equalJson(keyOf(item, mergeKey), key));
    if (index < 0) merged.push(change);
    else merged[index] = merge(merged[index] as Fields, change as Fields);
  }
  return arrange({ merged, first: changes, live, mergeKey });
}

export interface OrderedList {
  readonly merged: unknown;
  /** The value of `$setElementOrder`. */
  readonly order: unknown;
  readonly live: unknown;
  readonly patch: unknown;
  readonly mergeKey: string | undefined;
}

/** Sorts a merged list in the patch's order; items of the server keep their position among the others. */
export function orderItems({ merged, order, live, patch, mergeKey }: OrderedList): unknown[] {
  const wanted = itemsIn(order);
  const changes = itemsIn(patch).filter((item) => !isObject(item) || item["$patch"] === undefined);
  checkOrder(changes, wanted, mergeKey);
  return arrange({ merged: itemsIn(merged), first: wanted, live: itemsIn(live), mergeKey });
}

/** Removes scalars from a list. */
export function removeItems(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  return list.filter((item) => !values.includes(item));
}

export function itemsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Applies `$patch: delete` to the live list; returns `undefined` if `$patch: replace` replaces it. */
function applyDirectives(
  live: readonly unknown[],
  patch: readonly Fields[],
  mergeKey: string,
): readonly unknown[] | undefined {
  let base: readonly unknown[] | undefined = live;
  for (const item of patch) {
    const kind = item["$patch"];
    if (kind === undefined) continue;
    if (kind === "merge") throw new StrategicMergeError(500, "merging lists cannot yet be specified in the patch");
    if (kind === "replace") base = undefined;
    else if (kind === "delete") {
      const key = keyOf(item, mergeKey);
      base = base?.filter((other) => !equalJson(keyOf(other, mergeKey), key));
    } else throw new StrategicMergeError(500, `unknown patch type: ${goText(kind)} in map: ${goText(item)}`);
  }
  return base;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (isObject(item) && Object.hasOwn(item, mergeKey)) return item[mergeKey];
  throw new StrategicMergeError(500, `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

function checkOrder(changes: readonly unknown[], wanted: readonly unknown[], mergeKey: string | undefined): void {
  if (wanted.length === 0) return;
  let next = 0;
  for (const item of wanted) if (next < changes.length && isSame(changes[next], item, mergeKey)) next++;
  if (next < changes.length)
    throw new StrategicMergeError(
      500,
      `The order in patch list:\n${goText(changes)}\n doesn't match $setElementOrder list:\n${goText(wanted)}\n`,
    );
}

interface Arrangement {
  readonly merged: readonly unknown[];
  /** The order of the items in the patch. */
  readonly first: readonly unknown[];
  readonly live: readonly unknown[];
  readonly mergeKey: string | undefined;
}

/** Arranges items in the patch's order; an item of the server precedes those that follow it in the live list. */
function arrange({ merged, first, live, mergeKey }: Arrangement): unknown[] {
  const indexIn = (list: readonly unknown[], item: unknown): number =>
    list.findIndex((other) => isSame(other, item, mergeKey));
  const byIndexIn = (list: readonly unknown[]) => (a: unknown, b: unknown) => indexIn(list, a) - indexIn(list, b);
  const known = merged.filter((item) => indexIn(first, item) >= 0).toSorted(byIndexIn(first));
  const others = merged.filter((item) => indexIn(first, item) < 0).toSorted(byIndexIn(live));
  const result: unknown[] = [];
  while (known.length > 0 && others.length > 0) {
    const [other, item] = [indexIn(live, others[0]), indexIn(live, known[0])];
    result.push(other >= 0 && item >= 0 && other < item ? others.shift() : known.shift());
  }
  return [...result, ...known, ...others];
}

function isSame(a: unknown, b: unknown, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) return equalJson(a, b);
  return equalJson(keyOf(a, mergeKey), keyOf(b, mergeKey));
}
