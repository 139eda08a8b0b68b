import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import { Collection } from "./collection.ts";
import { type StoredEvent, memorySize } from "./event-ring.ts";

/**
 * The state of a server, as JSON. A store that is restored from it starts with an empty history: older watches get 410.
 */
export interface Snapshot {
  readonly revision: number;
  /** By `group/plural`, then by key. A store that is restored takes them out. */
  readonly objects: Record<string, Readonly<Record<string, UnstructuredObject>>>;
  /** The key of tokens, in base64. */
  readonly tokenKey?: string;
}

/** A change that a store is about to make. */
export interface JournalEntry {
  /** `group/plural` */
  readonly resource: string;
  readonly key: string;
  readonly revision: number;
  /** The object as JSON; absent for a deletion. */
  readonly text: string | undefined;
}

/** The place where a store writes its changes down before anybody can see them. */
export interface Journal {
  /** Writes a change down in the same turn. If it throws, the change is not made, and its request fails. */
  append(entry: JournalEntry): void;
}

/** Receives each event of a collection, which `group/plural` names, after it was made, in the same turn. */
export type StoreListener = (resource: string, event: StoredEvent) => void;

/** Returns the current state. Its objects are shared and frozen. */
export function takeSnapshot(store: Store): Snapshot {
  store.restoreAll();
  const collections = [...store.collections()].filter(({ size }) => size > 0);
  const objects = collections.map((collection) => [collection.id, Object.fromEntries(collection.entries(""))] as const);
  return { revision: store.revision, objects: Object.fromEntries(objects) };
}

/**
 * All objects, with one revision counter. Stored objects are frozen and shared: copy them before a change. A write
 * names the object that it was computed from, so that the later of two concurrent writes fails.
 */
export class Store {
  /** By group, then by plural: a write looks up a dozen, and joining two names takes longer than finding both. */
  private readonly groups = new Map<string, Map<string, Collection>>();
  private readonly historySize: number;
  private readonly journal: Journal | undefined;
  private readonly listeners: StoreListener[];
  private readonly historyBytes: number;
  /** The bytes of events since the history was last measured. */
  private unmeasured = 0;
  /** The memory of objects that events hold. */
  private readonly sizes = new WeakMap<UnstructuredObject, number>();
  private readonly texts = new WeakMap<UnstructuredObject, string>();
  /** The restored objects of collections that have not been read yet. */
  private saved: Snapshot["objects"] = {};
  private lastRevision = 1;
  /** Events before this revision are unknown; a restored store starts without history. */
  private floor = 1;

  /**
   * `historySize` is the number of events that each collection keeps for late watches, by default about as many as a
   * real server. The events of all collections have at most about `historyBytes` in memory.
   */
  constructor(
    historySize = 4096,
    journal?: Journal,
    onChange?: StoreListener,
    historyBytes: number = mostHistoryBytes,
  ) {
    this.historyBytes = historyBytes;
    this.historySize = historySize;
    this.journal = journal;
    this.listeners = onChange ? [onChange] : [];
  }

  get revision(): number {
    return this.lastRevision;
  }

  /** Returns the collection of a group and resource, which is the same for all versions. */
  collection({ group, plural }: { readonly group: string; readonly plural: string }): Collection {
    let collections = this.groups.get(group);
    if (!collections) this.groups.set(group, (collections = new Map()));
    let collection = collections.get(plural);
    if (!collection) {
      collection = new Collection(`${group}/${plural}`, this.historySize, this.floor);
      collections.set(plural, collection);
      this.fill(collection);
    }
    return collection;
  }

  *collections(): Generator<Collection> {
    for (const collections of this.groups.values()) yield* collections.values();
  }

  /**
   * Stores `object`, which then belongs to the store, in place of `previous`. Returns `undefined` if another object has
   * been stored since.
   */
  commit(
    collection: Collection,
    key: string,
    write: { previous: UnstructuredObject | undefined; object: UnstructuredObject },
  ): UnstructuredObject | undefined {
    if (collection.get(key) !== write.previous) return undefined;
    const type = write.previous ? "MODIFIED" : "ADDED";
    return this.apply(collection, key, { type, ...write });
  }

  /** Removes `previous` and returns its last state with the revision of the deletion; `undefined` as for `commit`. */
  remove(collection: Collection, key: string, previous: UnstructuredObject): UnstructuredObject | undefined {
    if (collection.get(key) !== previous) return undefined;
    return this.apply(collection, key, { type: "DELETED", previous, object: previous });
  }

  /** Calls a listener for each object that there is, and from now on for each change. */
  follow(listener: StoreListener): void {
    this.restoreAll();
    const revision = this.lastRevision;
    for (const collection of this.collections())
      for (const [key, object] of collection.entries(""))
        listener(collection.id, { revision, type: "ADDED", key, object, previous: undefined });
    this.listeners.push(listener);
  }

  /** Returns an object as JSON. Responses, watches and lists share the text of a stored object, which is frozen. */
  text(object: UnstructuredObject): string {
    const known = this.texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    if (Object.isFrozen(object)) this.texts.set(object, text);
    return text;
  }

  /**
   * Fills an empty store. Its first write gets a later revision than any in the snapshot. Watches do not see the objects,
   * but the listener does. Without one, the objects of a collection are taken from the snapshot when they are needed.
   */
  restore({ revision, objects }: Snapshot): void {
    this.lastRevision = Math.max(this.lastRevision, revision);
    this.floor = this.lastRevision;
    for (const collection of this.collections()) collection.history.compact(this.floor);
    this.saved = objects;
    // Those that somebody has looked up before.
    for (const collection of this.collections()) this.fill(collection);
    if (this.listeners.length > 0) this.restoreAll();
  }

  /** Takes all objects from the snapshot. */
  restoreAll(): void {
    for (const id of Object.keys(this.saved)) {
      const slash = id.lastIndexOf("/");
      this.collection({ group: id.slice(0, slash), plural: id.slice(slash + 1) });
    }
  }

  private fill(collection: Collection): void {
    const entries = this.saved[collection.id];
    if (!entries) return;
    delete this.saved[collection.id];
    for (const [key, value] of Object.entries(entries)) {
      const object = freezeJson(value);
      collection.restore(key, object);
      this.tell(collection, { revision: this.floor, type: "ADDED", key, object, previous: undefined });
    }
  }

  private apply(
    collection: Collection,
    key: string,
    write: Pick<StoredEvent, "type" | "previous" | "object">,
  ): UnstructuredObject {
    const revision = this.lastRevision + 1;
    const { type, previous, object } = write;
    const stored = freezeJson(withVersion(object, String(revision)));
    const text = this.journal && type !== "DELETED" ? this.text(stored) : undefined;
    this.journal?.append({ resource: collection.id, key, revision, text });
    this.lastRevision = revision;
    const event = { revision, type, key, object: stored, previous };
    const bytes = this.sizeOf(stored) + (previous ? this.sizeOf(previous) : 0);
    collection.apply(event, bytes);
    this.limitHistory(bytes);
    this.tell(collection, event);
    return stored;
  }

  private tell({ id }: Collection, event: StoredEvent): void {
    for (const listener of this.listeners) listener(id, event);
  }

  private sizeOf(object: UnstructuredObject): number {
    let size = this.sizes.get(object);
    if (size === undefined) this.sizes.set(object, (size = memorySize(object)));
    return size;
  }

  /** Shortens the history of the collections that hold most of it: the events of others are not theirs to drop. */
  private limitHistory(bytes: number): void {
    this.unmeasured += bytes;
    if (this.unmeasured < this.historyBytes / 8) return;
    this.unmeasured = 0;
    const histories = [...this.collections()].map(({ history }) => history);
    let total = histories.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > this.historyBytes * 0.875) {
      const largest = histories.reduce((most, each) => (each.bytes > most.bytes ? each : most));
      total -= largest.bytes;
      largest.shorten(largest.bytes * 0.75);
      total += largest.bytes;
    }
  }
}

const mostHistoryBytes = 256 * 1024 * 1024;

/** Sets the version; an object that is not frozen belongs to the store and is not copied. */
function withVersion(object: UnstructuredObject, resourceVersion: string): UnstructuredObject {
  const { metadata } = object;
  if (Object.isFrozen(object) || Object.isFrozen(metadata))
    return { ...object, metadata: { ...metadata, resourceVersion } };
  metadata.resourceVersion = resourceVersion;
  return object;
}

/** Returns the key of an object in its collection: `namespace/name`, or the name alone. */
export function storageKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
