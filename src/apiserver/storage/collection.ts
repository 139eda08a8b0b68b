import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { SortedObjects } from "./sorted-objects.ts";

/** A committed write. The object of a deletion is the last state with the revision of the deletion. */
export interface StoredEvent {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly key: string;
  readonly object: UnstructuredObject;
  readonly previous: UnstructuredObject | undefined;
}

/** The newest events of one collection; older ones cannot be watched or paged from. */
export class EventRing {
  private readonly events: StoredEvent[] = [];
  private readonly capacity: number;
  private lost: number;

  /** `since` is the revision from which the ring has all events. */
  constructor(capacity: number, since: number) {
    this.capacity = capacity;
    this.lost = since;
  }

  push(event: StoredEvent): void {
    this.events.push(event);
    // Dropping a quarter at a time spreads the cost of the shift over many writes.
    if (this.events.length > this.capacity * 1.25) this.drop(this.events.length - this.capacity);
  }

  /** Returns the events after `revision` in order; `undefined` if some of them have been dropped. */
  after(revision: number): StoredEvent[] | undefined {
    if (revision < this.lost) return undefined;
    return this.events.slice(this.firstAfter(revision));
  }

  /** Drops all events up to `revision`, like a compaction. */
  compact(revision: number): void {
    this.drop(this.firstAfter(revision));
    this.lost = Math.max(this.lost, revision);
  }

  private drop(count: number): void {
    const last = this.events[count - 1];
    if (last) this.lost = last.revision;
    this.events.splice(0, count);
  }

  private firstAfter(revision: number): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

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

  /** Applies a commit and calls the listeners, all in the same turn. Only the store calls this. */
  apply(event: StoredEvent): void {
    if (event.type === "DELETED") this.objects.delete(event.key);
    else this.objects.set(event.key, event.object);
    this.history.push(event);
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
