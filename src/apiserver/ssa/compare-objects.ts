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

/**
 * Compares field by field, as the schema divides the object; an atomic part is one field. Ignores managedFields.
 */
export function compareObjects(before: unknown, after: unknown, typed: Typed): Comparison {
  const walk = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compareValues({ path: [], before, after, typed }, walk);
  return walk;
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

function compareValues(place: Place, walk: Comparison): void {
  const { path, before, after, typed } = place;
  // Writes share unchanged parts, so most of an update is one comparison of references.
  if (before === after) return;
  const [node, other] = [typedNode(typed, after ?? before), typedNode(typed, before ?? after)];
  const isOther = node.kind !== other.kind;
  if (isOther) {
    // Where the schema leaves the type open, a map may take the place of another value, and its members begin or end.
    if (other.kind === "map") compareMembers({ ...place, after: undefined }, other, walk);
    if (node.kind === "map") compareMembers({ ...place, before: undefined }, node, walk);
  }
  if (isOther || isWhole(node, before, after)) {
    if (before !== undefined && after !== undefined) {
      if (!equalJson(before, after)) walk.modified.insert(path);
      return;
    }
  } else if (node.kind === "map") compareMembers(place, node, walk);
  else if (node.kind === "list") compareList(place, node, walk);
  if (before === undefined) walk.added.insert(path);
  else if (after === undefined) walk.removed.insert(path);
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

function compareMembers({ path, before, after }: Place, { type }: MapNode, walk: Comparison): void {
  const [old, now] = [membersOf(before), membersOf(after)];
  const isMetadata = path.length === 1 && path[0] === "f:metadata";
  const visit = (name: string): void => {
    if (isMetadata && name === "managedFields") return;
    const typed = type.field(name) ?? type.others;
    if (!typed || (old[name] === now[name] && Object.hasOwn(old, name) === Object.hasOwn(now, name))) return;
    path.push(`f:${name}`);
    compareValues({ path, before: ownField(old, name), after: ownField(now, name), typed }, walk);
    path.pop();
  };
  for (const name in now) visit(name);
  for (const name in old) if (!Object.hasOwn(now, name)) visit(name);
}

function membersOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}

function compareList({ path, before, after }: Place, node: ListNode, walk: Comparison): void {
  const old = itemsByKey(before, node);
  const now = itemsByKey(after, node);
  for (const key of new Set([...now.keys(), ...old.keys()])) {
    path.push(key);
    compareItem({ path, before: old.get(key), after: now.get(key), typed: node.items }, walk);
    path.pop();
  }
}

/** The items of a key that a stored list has several times; they are owned together. */
class Repeated {
  readonly items: unknown[];

  constructor(...items: unknown[]) {
    this.items = items;
  }
}

function compareItem(place: Place, walk: Comparison): void {
  const { path, before, after } = place;
  if (before instanceof Repeated && after instanceof Repeated) {
    if (!equalJson(before.items, after.items)) walk.modified.insert(path);
  } else if (before instanceof Repeated) {
    compareValues({ ...place, before: undefined }, walk);
    walk.removed.insert(path);
  } else if (after instanceof Repeated) {
    compareValues({ ...place, after: undefined }, walk);
    walk.added.insert(path);
  } else compareValues(place, walk);
}

function itemsByKey(list: unknown, node: ListNode): Map<string, unknown> {
  const items = new Map<string, unknown>();
  if (!Array.isArray(list)) return items;
  for (const item of list as unknown[]) {
    const key = keyOfItem(item, node);
    if (key === undefined) continue;
    const known = items.get(key);
    if (known === undefined) items.set(key, item);
    else if (known instanceof Repeated) known.items.push(item);
    else items.set(key, new Repeated(known, item));
  }
  return items;
}

/** Returns the key of a list item in fieldsV1, if it has one. */
export function keyOfItem(item: unknown, { join, keys }: ListNode): string | undefined {
  if (join === "atomic") return undefined;
  const found = itemKey(item, join, keys);
  return "key" in found ? found.key : undefined;
}
