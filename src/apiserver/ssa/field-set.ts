/**
 * A set of fields of an object, as a tree whose edges are the keys of fieldsV1: `f:name` for a field, `k:{…}` for an item
 * of a list with keys, `v:…` for an item of a set. A field can be in the set without what is below it, and the other way
 * round.
 */
export class FieldSet {
  /** True when the field that this node stands for is in the set itself. */
  member = false;
  readonly children: Map<string, FieldSet> = new Map();

  /** True when neither the field nor anything below it is in the set. */
  get isEmpty(): boolean {
    if (this.member) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  /** The whole object is no field: an empty path inserts nothing. */
  insert(path: readonly string[], depth: number = 0): void {
    const key = path[depth];
    if (key === undefined) {
      this.member = depth > 0;
      return;
    }
    let child = this.children.get(key);
    if (!child) this.children.set(key, (child = new FieldSet()));
    child.insert(path, depth + 1);
  }

  union(other: FieldSet): FieldSet {
    return combine(this, other, (a, b) => a || b);
  }

  intersection(other: FieldSet): FieldSet {
    return combine(this, other, (a, b) => a && b);
  }

  difference(other: FieldSet): FieldSet {
    return combine(this, other, (a, b) => a && !b);
  }

  /** Removes members of the other set with everything below them. */
  without(other: FieldSet): FieldSet {
    const result = new FieldSet();
    if (other.member) return result;
    result.member = this.member;
    for (const [key, child] of this.children) {
      const rest = child.without(other.children.get(key) ?? empty);
      if (!rest.isEmpty) result.children.set(key, rest);
    }
    return result;
  }

  equals(other: FieldSet): boolean {
    return combine(this, other, (a, b) => a !== b).isEmpty;
  }

  /** All members: those of a level before those below it, each by fieldsV1's order of keys. */
  *paths(prefix: readonly string[] = []): Generator<string[]> {
    const keys = this.#sortedKeys();
    for (const key of keys) if (this.children.get(key)!.member) yield [...prefix, key];
    for (const key of keys) yield* this.children.get(key)!.paths([...prefix, key]);
  }

  /** As `managedFields[].fieldsV1`. */
  toJson(): Record<string, unknown> {
    const json: Record<string, unknown> = {};
    for (const key of this.#sortedKeys()) {
      const child = this.children.get(key)!;
      if (child.isEmpty) continue;
      json[key] = child.member && child.children.size > 0 ? withSelf(child.toJson()) : child.toJson();
    }
    return json;
  }

  static fromJson(json: unknown): FieldSet {
    const set = new FieldSet();
    if (typeof json !== "object" || json === null) return set;
    for (const [key, value] of Object.entries(json)) {
      if (key === ".") set.member = true;
      else set.children.set(key, childFromJson(value));
    }
    return set;
  }

  #sortedKeys(): string[] {
    return [...this.children.keys()].sort(compareKeys);
  }
}

const empty = new FieldSet();

function combine(a: FieldSet, b: FieldSet, keep: (inA: boolean, inB: boolean) => boolean): FieldSet {
  const result = new FieldSet();
  result.member = keep(a.member, b.member);
  for (const key of new Set([...a.children.keys(), ...b.children.keys()])) {
    const child = combine(a.children.get(key) ?? empty, b.children.get(key) ?? empty, keep);
    if (!child.isEmpty) result.children.set(key, child);
  }
  return result;
}

/** A leaf of fieldsV1 is an empty object and a member; a node with children is one only when it says so. */
function childFromJson(json: unknown): FieldSet {
  const child = FieldSet.fromJson(json);
  if (child.children.size === 0) child.member = true;
  return child;
}

function withSelf(children: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(children).length > 0 ? { ".": {}, ...children } : children;
}

/** Fields before keyed items before values before indexes; each by text. */
function compareKeys(a: string, b: string): number {
  const rank = "fkvi".indexOf(a.charAt(0)) - "fkvi".indexOf(b.charAt(0));
  return rank || (a < b ? -1 : a > b ? 1 : 0);
}
