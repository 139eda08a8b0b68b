import { compareText } from "../../apimachinery/compare-text.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import { setField } from "../../apimachinery/set-field.ts";

/**
 * A set of fields of an object: a tree whose edges are the keys of fieldsV1, `f:name` for a field, `k:{…}` for an item
 * of a list with keys, `v:…` for an item of a set. A field can be a member without its children, and children without
 * their parent.
 */
export class FieldSet {
  /** True if the field of this node is itself a member. */
  member = false;
  /** Absent for leaves, which most nodes are: a write creates dozens of nodes. */
  private ownChildren: Map<string, FieldSet> | undefined;

  /** Returns the set of one field. */
  static of(path: readonly string[]): FieldSet {
    const set = new FieldSet();
    set.insert(path);
    return set;
  }

  get children(): ReadonlyMap<string, FieldSet> {
    return this.ownChildren ?? noChildren;
  }

  /** True if neither the field nor any field below it is a member. */
  get isEmpty(): boolean {
    if (this.member) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  /** Inserts a field. The whole object is not a field: an empty path inserts nothing. */
  insert(path: readonly string[], depth: number = 0): void {
    const key = path[depth];
    if (key === undefined) {
      this.member = depth > 0;
      return;
    }
    let child = this.ownChildren?.get(key);
    if (!child) this.set(key, (child = new FieldSet()));
    child.insert(path, depth + 1);
  }

  /** Sets a whole branch. */
  set(key: string, child: FieldSet): void {
    (this.ownChildren ??= new Map()).set(key, child);
  }

  /** Returns a copy with another branch. */
  with(key: string, child: FieldSet): FieldSet {
    const copy = this.copy(this.member);
    copy.set(key, child);
    return copy;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const result = this.copy(this.member || other.member);
    for (const [key, child] of other.children) {
      const own = this.children.get(key);
      result.set(key, own ? own.union(child) : child);
    }
    return result;
  }

  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    result.member = this.member && other.member;
    for (const [key, child] of this.children) {
      const match = other.children.get(key);
      if (match) result.put(key, child.intersection(match));
    }
    return result;
  }

  difference(other: FieldSet): FieldSet {
    if (!this.intersects(other)) return this;
    const result = this.copy(this.member && !other.member);
    for (const [key, child] of other.children) {
      const own = this.children.get(key);
      if (own) result.put(key, own.difference(child));
    }
    return result;
  }

  /** Removes the members of the other set and all fields below them. */
  without(other: FieldSet): FieldSet {
    const result = this.copy(this.member);
    for (const [key, child] of other.children) {
      const own = this.children.get(key);
      if (own) result.put(key, child.member ? new FieldSet() : own.without(child));
    }
    return result;
  }

  /** Reports whether the sets have a member in common. */
  intersects(other: FieldSet): boolean {
    if (this.member && other.member) return true;
    for (const [key, child] of other.children) if (this.children.get(key)?.intersects(child)) return true;
    return false;
  }

  /** Yields all members: first a level, then the levels below it, each in fieldsV1's order of keys. */
  *paths(prefix: readonly string[] = []): Generator<string[]> {
    const keys = this.sortedKeys();
    for (const key of keys) if (this.children.get(key)!.member) yield [...prefix, key];
    for (const key of keys) yield* this.children.get(key)!.paths([...prefix, key]);
  }

  /** Formats the set as `managedFields[].fieldsV1`: frozen, and shared by all sets of the same fields. */
  toJson(): Readonly<Record<string, unknown>> {
    const text = this.text();
    let json = internedJson.get(text);
    if (json) return json;
    json = freezeJson(this.format());
    intern(text, json, this);
    return json;
  }

  static fromJson(json: unknown): FieldSet {
    if (typeof json !== "object" || json === null) return new FieldSet();
    return internedSets.get(json) ?? parse(json);
  }

  /** Returns a text that is different for sets with different fields, for any characters in their keys. */
  private text(): string {
    let text = this.member ? "." : "";
    if (this.ownChildren) for (const [key, child] of this.ownChildren) text += `${key.length}:${key}${child.text()}`;
    return `${text})`;
  }

  private format(): Record<string, unknown> {
    if (!this.ownChildren) return leaf;
    const json: Record<string, unknown> = {};
    for (const key of this.sortedKeys()) {
      const child = this.children.get(key)!;
      if (child.isEmpty) continue;
      setField(json, key, child.member && child.children.size > 0 ? withSelf(child.format()) : child.format());
    }
    return json;
  }

  /** Copies the node and shares its children: a set is never changed after it is returned. */
  private copy(member: boolean): FieldSet {
    const copy = new FieldSet();
    if (this.ownChildren) copy.ownChildren = new Map(this.ownChildren);
    copy.member = member;
    return copy;
  }

  private put(key: string, child: FieldSet): void {
    if (child.isEmpty) this.ownChildren?.delete(key);
    else this.set(key, child);
  }

  private sortedKeys(): string[] {
    return [...this.children.keys()].sort(compareKeys);
  }
}

const noChildren: ReadonlyMap<string, FieldSet> = new Map();

/** Shared by all leaves: a stored object has dozens of them. */
const leaf: Record<string, unknown> = Object.freeze({});

/**
 * The JSON of sets by their text. Objects of a kind mostly have the same fields; sharing the JSON saves memory and
 * time.
 */
const internedJson = new Map<string, Readonly<Record<string, unknown>>>();
const internedSets = new Map<object, FieldSet>();
const mostInterned = 1_000;

function intern(text: string, json: Readonly<Record<string, unknown>>, set: FieldSet): void {
  if (internedJson.size >= mostInterned) {
    internedJson.clear();
    internedSets.clear();
  }
  internedJson.set(text, json);
  internedSets.set(json, set);
}

function parse(json: object): FieldSet {
  const set = new FieldSet();
  for (const [key, value] of Object.entries(json)) {
    if (key === ".") set.member = true;
    else set.set(key, childFromJson(value));
  }
  return set;
}

/**
 * Parses a child. A leaf of fieldsV1 is an empty object and a member; a node with children is one only if it has `.`.
 */
function childFromJson(json: unknown): FieldSet {
  const child = typeof json === "object" && json !== null ? parse(json) : new FieldSet();
  if (child.children.size === 0) child.member = true;
  return child;
}

function withSelf(children: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(children).length > 0 ? { ".": leaf, ...children } : children;
}

/** Orders fields before keyed items before values before indexes, each by text. */
function compareKeys(a: string, b: string): number {
  const rank = "fkvi".indexOf(a.charAt(0)) - "fkvi".indexOf(b.charAt(0));
  return rank || compareText(a, b);
}
