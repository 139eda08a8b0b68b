import { equalJson } from "../equal.ts";
import { sortMembers } from "../sort-members.ts";
import { goType } from "../go-text.ts";
import { isObject } from "../is-object.ts";
import { StrategicMergeError, wrongType, type Fields } from "./strategic-patch.ts";

export interface ListMerge {
  readonly mergeKey: string | undefined;
  /** Whether scalars of the patch are removed. */
  readonly removes: boolean;
  /** The Go type of the items, for a message. */
  readonly type: string;
  readonly merge: (item: Fields, change: Fields) => Fields;
}

/** Merges a patch into a list with the strategy merge: scalars are united, objects are matched by the merge key. */
export function mergeItems(
  live: readonly unknown[],
  patch: readonly unknown[],
  { mergeKey, removes, type, merge }: ListMerge,
): unknown[] {
  if (live.length === 0 && patch.length === 0) return [];
  if (typeOfItems(live, patch) !== ofObjects) {
    const given = new Set(patch);
    if (removes) return live.filter((item) => !given.has(item));
    return arrange({ merged: [...new Set([...live, ...patch])], first: patch, live, mergeKey: undefined });
  }
  if (mergeKey === undefined) throw new StrategicMergeError(500, `cannot merge lists without merge key for ${type}`);
  const changes = patch.filter((item) => !hasDirective(item));
  const base = applyDirectives(live, patch.filter(isObject), mergeKey);
  if (base === undefined) {
    for (const change of changes) keyOf(change, mergeKey);
    return changes;
  }
  const merged = [...base];
  const positions = new ItemIndex(base, mergeKey);
  for (const change of changes) {
    keyOf(change, mergeKey);
    const position = positions.find(change);
    if (position >= 0) merged.splice(position, 1, merge(merged[position] as Fields, change as Fields));
    else {
      merged.push(change);
      positions.add(change);
    }
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
  const result = arrange({ merged: itemsIn(merged), first: wanted, live: itemsIn(live), mergeKey });
  // A list that is replaced as a whole has no merge key, which its items lack then.
  if (typeOfItems(itemsIn(live), itemsIn(patch)) === ofObjects)
    for (const item of [...wanted, ...itemsIn(live)]) keyOf(item, mergeKey ?? "");
  return result;
}

const ofObjects = goType({});

/** Returns the Go type that all items share. */
function typeOfItems(...lists: readonly (readonly unknown[])[]): string {
  const [first, ...others] = lists.flat().map(goType);
  if (first === undefined) throw new StrategicMergeError(500, "no elements in any of the given slices");
  if (first === goType([])) throw new StrategicMergeError(422, "lists of lists are not supported");
  if (others.every((type) => type === first)) return first;
  throw new StrategicMergeError(500, `list element types are not identical: ${JSON.stringify(lists)}`);
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
  const deleted = new Set<string>();
  for (const item of patch) {
    const kind = item["$patch"];
    if (kind === undefined) continue;
    if (kind === "merge") throw new StrategicMergeError(500, "merging lists cannot yet be specified in the patch");
    if (kind === "replace") base = undefined;
    else if (kind === "delete") deleted.add(identityOf(item, mergeKey));
    else
      throw new StrategicMergeError(500, `unknown patch type: ${JSON.stringify(kind)} in map: ${JSON.stringify(item)}`);
  }
  return deleted.size === 0 ? base : base?.filter((item) => !deleted.has(identityOf(item, mergeKey)));
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isObject(item)) throw wrongType({}, item);
  if (Object.hasOwn(item, mergeKey)) return item[mergeKey];
  throw new StrategicMergeError(500, `map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
}

function hasDirective(item: unknown): boolean {
  return isObject(item) && item["$patch"] !== undefined;
}

/** Refuses a patch whose items are in another order. A directive that follows the last item of the order is one, too. */
export function checkOrder(patch: readonly unknown[], wanted: readonly unknown[], mergeKey: string | undefined): void {
  if (wanted.length === 0 || patch.length === 0) return;
  const stays = (item: unknown): boolean => {
    if (mergeKey === undefined) return true;
    if (isObject(item)) return item["$patch"] !== "delete";
    throw wrongType({}, item);
  };
  const changes = patch.filter(stays);
  let next = 0;
  for (const item of wanted) {
    while (next < changes.length && hasDirective(changes[next])) next++;
    if (next < changes.length && isSame(changes[next], item, mergeKey)) next++;
  }
  if (next < changes.length)
    throw new StrategicMergeError(
      500,
      `The order in patch list:\n${JSON.stringify(patch)}\n doesn't match $setElementOrder list:\n${JSON.stringify(wanted)}\n`,
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
  const [inFirst, inLive] = [new ItemIndex(first, mergeKey), new ItemIndex(live, mergeKey)];
  const placed = merged.map((item) => ({ item, first: inFirst.find(item) }));
  const known = placed.filter((each) => each.first >= 0).toSorted((a, b) => a.first - b.first);
  const others = placed
    .filter((each) => each.first < 0)
    .map(({ item }) => ({ item, live: inLive.find(item) }))
    .toSorted((a, b) => a.live - b.live);
  const result: unknown[] = [];
  let next = 0;
  for (const { item, live } of others) {
    for (; next < known.length; next++) {
      const position = inLive.find(known[next]?.item);
      if (live >= 0 && position >= 0 && live < position) break;
      result.push(known[next]?.item);
    }
    result.push(item);
  }
  return [...result, ...known.slice(next).map(({ item }) => item)];
}

/** The positions of a list's items by merge key, or by value without one: a search in the list takes too long. */
class ItemIndex {
  private readonly mergeKey: string | undefined;
  private readonly positions = new Map<string, number>();
  private length = 0;
  /** The first item without the merge key: a search that passes it fails. */
  private keyless: { readonly position: number; readonly error: unknown } | undefined;

  constructor(list: readonly unknown[], mergeKey: string | undefined) {
    this.mergeKey = mergeKey;
    for (const item of list) this.add(item);
  }

  add(item: unknown): void {
    const position = this.length++;
    try {
      const identity = identityOf(item, this.mergeKey);
      if (!this.positions.has(identity)) this.positions.set(identity, position);
    } catch (error) {
      this.keyless ??= { position, error };
    }
  }

  /** Returns the position of the first item that is the same; -1 if there is none. */
  find(item: unknown): number {
    if (this.length === 0) return -1;
    if (this.keyless?.position === 0) throw this.keyless.error;
    const position = this.positions.get(identityOf(item, this.mergeKey)) ?? -1;
    if (this.keyless && (position < 0 || position > this.keyless.position)) throw this.keyless.error;
    return position;
  }
}

/** Returns a text that two items share if they are the same. */
function identityOf(item: unknown, mergeKey: string | undefined): string {
  return JSON.stringify(sortMembers(mergeKey === undefined ? item : keyOf(item, mergeKey))) ?? "";
}

function isSame(a: unknown, b: unknown, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) return equalJson(a, b);
  return equalJson(keyOf(a, mergeKey), keyOf(b, mergeKey));
}
