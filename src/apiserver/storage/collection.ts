import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { EventRing, type StoredEvent } from "./event-ring.ts";
import { SortedObjects } from "./sorted-objects.ts";

export type EventListener = (event: StoredEvent) => void;

/** All objects of one group and resource, in any version. */
export class Collection {
  /** `group/plural` */
  readonly id: string;
  private readonly objects = new SortedObjects();
  private readonly history: EventRing;
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

  eventsAfter(revision: number): StoredEvent[] | undefined {
    return this.history.after(revision);
  }

  /** The bytes of the events that are kept. */
  get historyBytes(): number {
    return this.history.bytes;
  }

  /** Drops the oldest events until their bytes are at most `bytes`. */
  shortenHistory(bytes: number): void {
    this.history.shorten(bytes);
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

  compact(revision: number): void {
    this.history.compact(revision);
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
