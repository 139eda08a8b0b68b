import { cloneJson } from "../../apimachinery/clone.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import type { LazyObject } from "../../client/calls/lazy-object.ts";

/** Returns the values under which an index finds an object. */
export type IndexFunction<T extends KubeObject = KubeObject> = (object: Named<T>) => readonly string[];

interface Index<T extends KubeObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly keys: Map<string, Set<string>>;
}

/** JSON until a reader wants a shared object, then that object, as is one that is nested too deeply to be written. */
export type Kept<T extends KubeObject> = string | Named<T>;

/** Returns `namespace/name`, or `name` for cluster-scoped objects. */
export function storeKey(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  // One string in memory; V8 would also keep the parts of a template.
  return namespace ? [namespace, name].join("/") : (name ?? "");
}

/**
 * Objects by key and by indexes, kept as text. Text takes a quarter of the memory and gives the garbage collector
 * nothing to traverse, and parsing costs no more than copying an object.
 */
export class Store<T extends KubeObject> {
  private readonly parse: (text: string) => Named<T>;
  private readonly freezeShared: boolean;
  private readonly objects = new Map<string, Kept<T>>();
  private readonly namespaces = new Map<string, Set<string>>();
  private readonly indexes = new Map<string, Index<T>>();

  constructor(
    parse: (text: string) => Named<T> = (text) => JSON.parse(text) as Named<T>,
    freezeShared: boolean = false,
  ) {
    this.parse = parse;
    this.freezeShared = freezeShared;
  }

  get size(): number {
    return this.objects.size;
  }

  /** Returns the caller's own copy. */
  get(key: string): Named<T> | undefined {
    const kept = this.objects.get(key);
    return kept === undefined ? undefined : this.copy(kept);
  }

  has(key: string): boolean {
    return this.objects.has(key);
  }

  /** Returns all keys, or the keys of a namespace. */
  keys(namespace?: string): Iterable<string> {
    return namespace === undefined ? this.objects.keys() : (this.namespaces.get(namespace) ?? []);
  }

  /** Returns the current entries, which do not change with the store. */
  snapshot(keys: Iterable<string>): [key: string, kept: Kept<T>][] {
    return Array.from(keys, (key) => [key, this.objects.get(key)!]);
  }

  /** Returns the caller's own copy of an entry. */
  copy(kept: Kept<T>): Named<T> {
    return typeof kept === "string" ? this.parse(kept) : cloneJson(kept);
  }

  /** Returns the shared object of an entry, which must not be changed. It is parsed once for all readers. */
  share(key: string, kept: Kept<T>): Named<T> {
    if (typeof kept !== "string") return kept;
    const object = this.freezeShared ? freezeJson(this.parse(kept)) : this.parse(kept);
    if (this.objects.get(key) === kept) this.objects.set(key, object);
    return object;
  }

  /** Replaces the object with this key, and returns the previous one. */
  set(key: string, object: LazyObject<T>): Named<T> | undefined {
    const old = this.get(key);
    this.objects.set(key, keptOf(object));
    if (!old) addKey(this.namespaces, object.metadata.namespace, key);
    for (const index of this.indexes.values()) {
      if (old) removeFromIndex(index, key, old);
      addToIndex(index, key, object.whole);
    }
    return old;
  }

  delete(key: string): Named<T> | undefined {
    const old = this.get(key);
    if (!old) return undefined;
    this.objects.delete(key);
    removeKey(this.namespaces, old.metadata.namespace, key);
    for (const index of this.indexes.values()) removeFromIndex(index, key, old);
    return old;
  }

  get hasIndexes(): boolean {
    return this.indexes.size > 0;
  }

  hasIndex(name: string): boolean {
    return this.indexes.has(name);
  }

  /** Adds an index at any time; existing objects are indexed at once. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const index: Index<T> = { valuesOf, keys: new Map() };
    this.indexes.set(name, index);
    for (const [key, kept] of this.objects) addToIndex(index, key, this.copy(kept));
  }

  keysByIndex(name: string, value: string): Iterable<string> {
    return this.indexes.get(name)?.keys.get(value) ?? [];
  }

  /** Returns the values under which an index finds an object. */
  indexValues(name: string, object: Named<T>): readonly string[] {
    return this.indexes.get(name)?.valuesOf(object) ?? [];
  }
}

/** Returns the text of an object; the object itself if it is nested too deeply for V8 to write it. */
function keptOf<T extends KubeObject>(object: LazyObject<T>): Kept<T> {
  try {
    return object.text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return object.whole;
  }
}

function addToIndex<T extends KubeObject>(index: Index<T>, key: string, object: Named<T>): void {
  for (const value of index.valuesOf(object)) addKey(index.keys, value, key);
}

function removeFromIndex<T extends KubeObject>(index: Index<T>, key: string, object: Named<T>): void {
  for (const value of index.valuesOf(object)) removeKey(index.keys, value, key);
}

function addKey(sets: Map<string, Set<string>>, name: string | undefined, key: string): void {
  if (name === undefined) return;
  const keys = sets.get(name);
  if (keys) keys.add(key);
  else sets.set(name, new Set([key]));
}

function removeKey(sets: Map<string, Set<string>>, name: string | undefined, key: string): void {
  if (name === undefined) return;
  const keys = sets.get(name);
  keys?.delete(key);
  if (keys?.size === 0) sets.delete(name);
}
