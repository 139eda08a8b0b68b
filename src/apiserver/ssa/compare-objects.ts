import { equalJson } from "../../apimachinery/equal.ts";
import { FieldSet } from "./field-set.ts";
import { itemKey, typedNode, type Typed, type TypedNode } from "./typed-node.ts";
import { ownField } from "../../apimachinery/set-field.ts";

/** Reports whether a value has no members and no items. */
export function isBare(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** The fields that a write changed. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares field by field, as the schema divides the object; an atomic part is one field. Ignores managedFields. */
export function compareObjects(before: unknown, after: unknown, typed: Typed): Comparison {
  const comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compareValues({ path: [], before, after, typed }, comparison);
  return comparison;
}

interface Place {
  /** One stack for the whole walk; sets copy the keys that they need. */
  readonly path: string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly typed: Typed;
}

type MapNode = Extract<TypedNode, { kind: "map" }>;
type ListNode = Extract<TypedNode, { kind: "list" }>;

function compareValues(place: Place, comparison: Comparison): void {
  const { path, before, after, typed } = place;
  // Writes share unchanged parts, so most of an update is one comparison of references.
  if (before === after) return;
  const [node, other] = [typedNode(typed, after ?? before), typedNode(typed, before ?? after)];
  const isOther = node.kind !== other.kind;
  if (isOther) {
    // Where the schema leaves the type open, the members of a map end or begin with it.
    if (other.kind === "map") compareMembers({ ...place, after: undefined }, other, comparison);
    if (node.kind === "map") compareMembers({ ...place, before: undefined }, node, comparison);
  }
  if (isOther || isWhole(node, before, after)) {
    if (before !== undefined && after !== undefined) {
      if (!equalJson(before, after)) comparison.modified.insert(path);
      return;
    }
  } else if (node.kind === "map") compareMembers(place, node, comparison);
  else if (node.kind === "list") compareItems(place, node, comparison);
  if (before === undefined) comparison.added.insert(path);
  else if (after === undefined) comparison.removed.insert(path);
}

/** Reports whether a part is compared as a whole. Empty and null differ, but have no members. */
function isWhole(node: TypedNode, before: unknown, after: unknown): boolean {
  if (node.kind === "scalar") return true;
  const atomic = node.kind === "map" ? node.atomic : node.join === "atomic";
  return atomic || (isBare(before) && isBare(after)) || !fitsNode(node, before) || !fitsNode(node, after);
}

function fitsNode(node: TypedNode, value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === "object" && Array.isArray(value) === (node.kind === "list"))
  );
}

function compareMembers({ path, before, after }: Place, { type }: MapNode, comparison: Comparison): void {
  const [old, now] = [membersOf(before), membersOf(after)];
  const isMetadata = path.length === 1 && path[0] === "f:metadata";
  const visit = (name: string): void => {
    if (isMetadata && name === "managedFields") return;
    const typed = type.field(name) ?? type.others;
    if (!typed || (old[name] === now[name] && Object.hasOwn(old, name) === Object.hasOwn(now, name))) return;
    path.push(`f:${name}`);
    compareValues({ path, before: ownField(old, name), after: ownField(now, name), typed }, comparison);
    path.pop();
  };
  for (const name in now) visit(name);
  for (const name in old) if (!Object.hasOwn(now, name)) visit(name);
}

function membersOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}

function compareItems({ path, before, after }: Place, node: ListNode, comparison: Comparison): void {
  const [old, now] = [itemsByKey(before, node), itemsByKey(after, node)];
  for (const key of new Set([...now.keys(), ...old.keys()])) {
    const [left, right] = [old.get(key) ?? [], now.get(key) ?? []];
    path.push(key);
    const compare = (before: unknown, after: unknown): void =>
      compareValues({ path, before, after, typed: node.items }, comparison);
    if (left.length <= 1 && right.length <= 1) compare(left[0], right[0]);
    else if (left.length > 1 && right.length > 1) {
      if (!equalJson(left, right)) comparison.modified.insert(path);
    } else if (left.length > 1) {
      compare(undefined, right[0]);
      comparison.removed.insert(path);
    } else {
      compare(left[0], undefined);
      comparison.added.insert(path);
    }
    path.pop();
  }
}

/** Groups items by key. Stored lists may have a key twice; such items are owned together. */
export function itemsByKey(list: unknown, node: ListNode): Map<string, unknown[]> {
  const items = new Map<string, unknown[]>();
  if (!Array.isArray(list)) return items;
  for (const item of list as unknown[]) {
    const key = keyOfItem(item, node);
    if (key === undefined) continue;
    const same = items.get(key);
    if (same) same.push(item);
    else items.set(key, [item]);
  }
  return items;
}

/** Returns the key of an item in `itemsByKey`, if it has one. */
export function keyOfItem(item: unknown, { join, keys }: ListNode): string | undefined {
  if (join === "atomic") return undefined;
  const found = itemKey(item, join, keys);
  return "key" in found ? found.key : undefined;
}
