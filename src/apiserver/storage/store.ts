import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import { Collection, type StoredEvent } from "./collection.ts";

/** Everything that a server holds, as JSON. A store made of it starts with an empty history: older watches get 410. */
export interface Snapshot {
  readonly format: 1;
  readonly revision: number;
  /** By `group/plural`, then by key. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, UnstructuredObject>>>>;
  /** What tokens are signed with, in base64. */
  readonly tokenKey?: string;
}

/** The state at this moment. Objects are shared, and frozen. */
export function takeSnapshot(store: Store): Snapshot {
  const collections = [...store.collections()].filter(([, collection]) => collection.size > 0);
  const objects = collections.map(([id, collection]) => [id, Object.fromEntries(collection.entries(""))] as const);
  return { format: 1, revision: store.revision, objects: Object.fromEntries(objects) };
}

/** Fills an empty store; its first write gets a later revision than anything the snapshot has seen. */
export function restoreSnapshot(store: Store, { revision, objects }: Snapshot): void {
  store.restore(revision);
  for (const [id, entries] of Object.entries(objects)) {
    const slash = id.lastIndexOf("/");
    const collection = store.collection({ group: id.slice(0, slash), plural: id.slice(slash + 1) });
    for (const [key, object] of Object.entries(entries)) collection.restore(key, freezeJson(object));
  }
}

/**
 * All objects, with one revision counter. Stored objects are frozen and shared: copy before changing. A write names
 * the object it was computed from, so that whoever comes second learns of it.
 */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #historySize: number;
  readonly #texts = new WeakMap<UnstructuredObject, string>();
  #revision = 1;
  /** Before this nothing is known; a saved store starts without history. */
  #floor = 1;

  /** `historySize` is how many events each collection remembers for late watchers; a real server keeps about as many. */
  constructor(historySize = 4096) {
    this.#historySize = historySize;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The collection of a group and resource; `version` plays no part in storage. */
  collection(resource: { readonly group: string; readonly plural: string }): Collection {
    const id = `${resource.group}/${resource.plural}`;
    let collection = this.#collections.get(id);
    if (!collection) this.#collections.set(id, (collection = new Collection(this.#historySize, this.#floor)));
    return collection;
  }

  collections(): IterableIterator<[string, Collection]> {
    return this.#collections.entries();
  }

  /** Stores `object`, which becomes the store's, where `previous` is now. `undefined` when something else is there by now. */
  commit(
    collection: Collection,
    key: string,
    write: { previous: UnstructuredObject | undefined; object: UnstructuredObject },
  ): UnstructuredObject | undefined {
    if (collection.get(key) !== write.previous) return undefined;
    const type = write.previous ? "MODIFIED" : "ADDED";
    return this.#apply(collection, key, { type, ...write });
  }

  /** Removes `previous`; the result is its last state with the deletion's revision. `undefined` as for `commit`. */
  remove(collection: Collection, key: string, previous: UnstructuredObject): UnstructuredObject | undefined {
    if (collection.get(key) !== previous) return undefined;
    return this.#apply(collection, key, { type: "DELETED", previous, object: previous });
  }

  /** Returns an object as JSON. The text of a stored one, which is frozen, is made once: answers, watches and lists share it. */
  text(object: UnstructuredObject): string {
    const known = this.#texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    if (Object.isFrozen(object)) this.#texts.set(object, text);
    return text;
  }

  /** Continues a saved store. */
  restore(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#floor = this.#revision;
    for (const collection of this.#collections.values()) collection.compact(this.#floor);
  }

  #apply(
    collection: Collection,
    key: string,
    write: Pick<StoredEvent, "type" | "previous" | "object">,
  ): UnstructuredObject {
    const revision = ++this.#revision;
    const { type, previous, object } = write;
    const stored = freezeJson(withVersion(object, String(revision)));
    collection.apply({ revision, type, key, object: stored, previous });
    return stored;
  }
}

/** What nobody else holds needs no copy. */
function withVersion(object: UnstructuredObject, resourceVersion: string): UnstructuredObject {
  const { metadata } = object;
  if (Object.isFrozen(object) || Object.isFrozen(metadata))
    return { ...object, metadata: { ...metadata, resourceVersion } };
  metadata.resourceVersion = resourceVersion;
  return object;
}

/** The key of an object in its collection: `namespace/name`, or the name alone. */
export function storageKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
