import type { StoredEvent } from "./stored-event.ts";

/** The newest events of one collection; what falls out of it can't be watched or paged from any more. */
export class EventRing {
  readonly #events: StoredEvent[] = [];
  readonly #capacity: number;
  #lost: number;

  /** `since` is the revision from which on the ring knows everything. */
  constructor(capacity: number, since: number) {
    this.#capacity = capacity;
    this.#lost = since;
  }

  push(event: StoredEvent): void {
    this.#events.push(event);
    // Dropping a quarter at a time keeps the cost of the shift off the single write.
    if (this.#events.length > this.#capacity * 1.25) this.#drop(this.#events.length - this.#capacity);
  }

  /** Events after `revision` in order; `undefined` when some of them are gone. */
  after(revision: number): StoredEvent[] | undefined {
    if (revision < this.#lost) return undefined;
    return this.#events.slice(this.#firstAfter(revision));
  }

  /** Forgets all events up to `revision`, as a compaction does. */
  compact(revision: number): void {
    this.#drop(this.#firstAfter(revision));
    this.#lost = Math.max(this.#lost, revision);
  }

  #drop(count: number): void {
    const last = this.#events[count - 1];
    if (last) this.#lost = last.revision;
    this.#events.splice(0, count);
  }

  #firstAfter(revision: number): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
