import { isBare, keyOfItem } from "./compare-objects.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { typedNode, type Typed, type TypedNode } from "./typed-node.ts";
import { ownField, setField } from "../../apimachinery/set-field.ts";

/**
 * Merges an applied object into the live one: members and list items are joined, everything else is replaced. Unchanged
 * parts are shared with the live object.
 */
export function mergeObjects(live: unknown, applied: unknown, typed: Typed): unknown {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const node = typedNode(typed, applied ?? live);
  // An applied null adds no members and no items; it is kept only if the live object has none either.
  if (applied === null && isJoined(node) && !isBare(live)) return live;
  if (node.kind === "map" && !node.atomic && isObject(live) && isObject(applied))
    return mergeMembers(live, applied, node);
  if (node.kind === "list" && node.join !== "atomic" && Array.isArray(live) && Array.isArray(applied)) {
    return live.length === 0 && applied.length === 0 ? applied : mergeItems(live, applied, node);
  }
  return applied;
}

function isJoined(node: TypedNode): boolean {
  return node.kind === "map" ? !node.atomic : node.kind === "list" && node.join !== "atomic";
}

type MapNode = Extract<TypedNode, { kind: "map" }>;
type ListNode = Extract<TypedNode, { kind: "list" }>;

function mergeMembers(live: Record<string, unknown>, applied: Record<string, unknown>, { type }: MapNode): unknown {
  const merged = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    const typed = type.field(name) ?? type.others;
    setField(merged, name, typed ? mergeObjects(ownField(live, name), value, typed) : value);
  }
  return merged;
}

/**
 * Merges lists. Both keep their order as far as possible: between two items of both lists, live ones come first. If the
 * orders contradict each other, the applied one wins.
 */
function mergeItems(live: readonly unknown[], applied: readonly unknown[], node: ListNode): unknown[] {
  const liveKeys = live.map((item) => keyOfItem(item, node) ?? "");
  const appliedKeys = applied.map((item) => keyOfItem(item, node) ?? "");
  const [liveItems, appliedItems] = [firstByKey(live, liveKeys), firstByKey(applied, appliedKeys)];
  const shared = appliedKeys.filter((key) => liveItems.has(key));
  const merged: unknown[] = [];
  const done = new Set<string>();
  const takeLive = (key: string, at: number): void => {
    if (!appliedItems.has(key)) merged.push(live[at]);
  };
  const takeApplied = (key: string): void => {
    done.add(key);
    merged.push(mergeObjects(liveItems.get(key), appliedItems.get(key), node.items));
  };
  let [at, nextShared, appliedAt] = [0, 0, 0];
  while (at < liveKeys.length || appliedAt < appliedKeys.length) {
    const [liveKey, appliedKey] = [liveKeys[at], appliedKeys[appliedAt]];
    if (liveKey !== undefined && appliedKey !== undefined) {
      if (liveKey === appliedKey) {
        takeApplied(liveKey);
        at++;
        appliedAt++;
        nextShared++;
        continue;
      }
      const awaited = shared[nextShared];
      if (appliedItems.has(liveKey) && awaited !== undefined && awaited !== liveKey) {
        at++;
        continue;
      }
    }
    if (liveKey !== undefined && (!appliedItems.has(liveKey) || done.has(liveKey))) {
      takeLive(liveKey, at);
      at++;
      continue;
    }
    if (appliedKey === undefined) {
      at++;
      continue;
    }
    takeApplied(appliedKey);
    appliedAt++;
    if (shared[nextShared] === appliedKey) nextShared++;
  }
  return merged;
}

function firstByKey(list: readonly unknown[], keys: readonly string[]): Map<string, unknown> {
  const first = new Map<string, unknown>();
  keys.forEach((key, index) => {
    if (key !== "" && !first.has(key)) first.set(key, list[index]);
  });
  return first;
}
