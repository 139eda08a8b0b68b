import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { EventRing, position, type StoredEvent } from "./event-ring.ts";

type EventListener = (event: StoredEvent) => void;

/** All objects of one group and resource, in any version. */
export class Collection {
  /** `group/plural` */
  readonly id: string;
  private readonly objects = new SortedObjects();
  readonly history: EventRing;
  private readonly listeners = new Set<EventListener>();
  private readonly closers = new Set<() => void>();

  /** `historySize` is the number of events that are kept; before `since` nothing is known. */
  constructor(id: string, historySize: number, since: number) {
    this.id = id;
    this.history = new EventRing(historySize, since);
  }

  get size(): number {
    return this.objects.size;
  }

  get(key: string): UnstructuredObject | undefined {
    return this.objects.get(key);
  }

  entries(prefix: string, start?: string): Iterable<[string, UnstructuredObject]> {
    return this.objects.entries(prefix, start);
  }

  /** Returns a copy that later writes do not change. */
  copy(): SortedObjects {
    return this.objects.copy();
  }

  /** Returns the collection as it was at `revision`; `undefined` if the history does not reach back that far. */
  at(revision: number): SortedObjects | undefined {
    const since = this.history.after(revision);
    if (!since) return undefined;
    const past = this.objects.copy();
    for (const event of since.toReversed()) {
      if (event.previous) past.set(event.key, event.previous);
      else past.delete(event.key);
    }
    return past;
  }

  /**
   * Applies a commit, whose objects have `bytes`, and calls the listeners, all in the same turn. Only the store calls
   * this.
   */
  apply(event: StoredEvent, bytes: number): void {
    if (event.type === "DELETED") this.objects.delete(event.key);
    else this.objects.set(event.key, event.object);
    this.history.push(event, bytes);
    for (const listener of this.listeners) listener(event);
  }

  /** Restores a saved object, without an event. */
  restore(key: string, object: UnstructuredObject): void {
    this.objects.set(key, object);
  }

  /** Calls `closed` when the server ends the watch. The returned function stops listening. */
  listen(listener: EventListener, closed: () => void): () => void {
    this.listeners.add(listener);
    this.closers.add(closed);
    return () => {
      this.listeners.delete(listener);
      this.closers.delete(closed);
    };
  }

  /** Ends all watches, as a real server does when a CRD changes. */
  closeWatches(): void {
    // A closer removes itself from the set, which is allowed during an iteration.
    for (const close of this.closers) close();
  }
}

/** The most keys of one block; a larger block is divided. */
const longestBlock = 512;

/** Objects by key, listed in the order of their keys, as in etcd. */
export class SortedObjects {
  private objects = new Map<string, UnstructuredObject>();
  /** Sorted keys in sorted blocks: inserting into one array of all keys would move thousands of them. */
  private blocks: string[][] = [];

  get size(): number {
    return this.objects.size;
  }

  get(key: string): UnstructuredObject | undefined {
    return this.objects.get(key);
  }

  set(key: string, object: UnstructuredObject): void {
    if (!this.objects.has(key)) this.insert(key);
    this.objects.set(key, object);
  }

  delete(key: string): void {
    if (!this.objects.delete(key)) return;
    const at = this.blockOf(key);
    const block = this.blocks[at]!;
    block.splice(
      position(block.length, (index) => block[index]! < key),
      1,
    );
    if (block.length === 0) this.blocks.splice(at, 1);
  }

  /** Yields entries whose key has the prefix and is not before `start`. */
  *entries(prefix: string, start: string = prefix): Generator<[string, UnstructuredObject]> {
    for (let at = this.blockOf(start); at < this.blocks.length; at++) {
      const block = this.blocks[at]!;
      for (let index = position(block.length, (each) => block[each]! < start); index < block.length; index++) {
        const key = block[index]!;
        if (!key.startsWith(prefix)) return;
        yield [key, this.objects.get(key)!];
      }
    }
  }

  copy(): SortedObjects {
    const copy = new SortedObjects();
    copy.objects = new Map(this.objects);
    copy.blocks = this.blocks.map((block) => [...block]);
    return copy;
  }

  private insert(key: string): void {
    const at = this.blockOf(key);
    const block = this.blocks[at];
    if (!block) return void this.blocks.push([key]);
    block.splice(
      position(block.length, (index) => block[index]! < key),
      0,
      key,
    );
    if (block.length > longestBlock) this.blocks.splice(at + 1, 0, block.splice(longestBlock / 2));
  }

  /** Returns the index of the last block that begins at or before the key, to which the key belongs. */
  private blockOf(key: string): number {
    return Math.max(0, position(this.blocks.length, (index) => this.blocks[index]![0]! <= key) - 1);
  }
}
