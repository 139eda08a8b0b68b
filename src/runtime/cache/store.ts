import type { KubeObject } from "../../apimachinery/meta.ts";

/** Values of an object under which an index finds it. */
export type IndexFunction<T extends KubeObject = KubeObject> = (object: T) => readonly string[];

interface Index<T extends KubeObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly keys: Map<string, Set<string>>;
}

const namespaceIndex = "namespace";

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function storeKey(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : (name ?? "");
}

/** Objects by key and by indexes. What it holds is shared: readers copy before they change anything. */
export class Store<T extends KubeObject> {
  private readonly objects = new Map<string, T>();
  private readonly indexes = new Map<string, Index<T>>();

  constructor() {
    this.addIndex(namespaceIndex, (object) => (object.metadata.namespace ? [object.metadata.namespace] : []));
  }

  get size(): number {
    return this.objects.size;
  }

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  values(): Iterable<T> {
    return this.objects.values();
  }

  keys(): Iterable<string> {
    return this.objects.keys();
  }

  inNamespace(namespace: string): Iterable<T> {
    return this.byIndex(namespaceIndex, namespace);
  }

  /** Replaces the object with the same key, and returns it. */
  set(object: T): T | undefined {
    const key = storeKey(object);
    const old = this.objects.get(key);
    this.objects.set(key, object);
    for (const index of this.indexes.values()) {
      if (old) removeFromIndex(index, key, old);
      addToIndex(index, key, object);
    }
    return old;
  }

  delete(key: string): T | undefined {
    const old = this.objects.get(key);
    if (!old) return undefined;
    this.objects.delete(key);
    for (const index of this.indexes.values()) removeFromIndex(index, key, old);
    return old;
  }

  hasIndex(name: string): boolean {
    return this.indexes.has(name);
  }

  /** May be called at any time: what is there already is indexed at once. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const index: Index<T> = { valuesOf, keys: new Map() };
    this.indexes.set(name, index);
    for (const [key, object] of this.objects) addToIndex(index, key, object);
  }

  *byIndex(name: string, value: string): Generator<T> {
    for (const key of this.indexes.get(name)?.keys.get(value) ?? []) yield this.objects.get(key)!;
  }

  /** The values under which an index finds an object. */
  indexValues(name: string, object: T): readonly string[] {
    return this.indexes.get(name)?.valuesOf(object) ?? [];
  }
}

function addToIndex<T extends KubeObject>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keys.get(value);
    if (keys) keys.add(key);
    else index.keys.set(value, new Set([key]));
  }
}

function removeFromIndex<T extends KubeObject>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keys.get(value);
    keys?.delete(key);
    if (keys?.size === 0) index.keys.delete(value);
  }
}
