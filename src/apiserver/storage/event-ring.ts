import type { UnstructuredObject } from "../../apimachinery/meta.ts";

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
  /** The bytes of each event. */
  private readonly sizes: number[] = [];
  private total = 0;
  private readonly capacity: number;
  private lost: number;

  /** `since` is the revision from which the ring has all events. */
  constructor(capacity: number, since: number) {
    this.capacity = capacity;
    this.lost = since;
  }

  /** The bytes of all events. */
  get bytes(): number {
    return this.total;
  }

  /** Adds an event whose objects have `bytes`. */
  push(event: StoredEvent, bytes: number): void {
    this.events.push(event);
    this.sizes.push(bytes);
    this.total += bytes;
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

  /** Drops the oldest events until their bytes are at most `bytes`. */
  shorten(bytes: number): void {
    let [count, total] = [0, this.total];
    while (total > bytes && count < this.sizes.length) total -= this.sizes[count++]!;
    this.drop(count);
  }

  private drop(count: number): void {
    const last = this.events[count - 1];
    if (last) this.lost = last.revision;
    this.events.splice(0, count);
    for (const size of this.sizes.splice(0, count)) this.total -= size;
  }

  private firstAfter(revision: number): number {
    return position(this.events.length, (index) => this.events[index]!.revision <= revision);
  }
}

/** Returns the number of leading indexes for which `before` holds. */
export function position(length: number, before: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns about how many bytes a value of JSON takes in memory, together with its text, which the store keeps: an empty
 * object takes more than its two characters.
 */
export function memorySize(value: unknown): number {
  // Without recursion, which deep objects would exhaust.
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each === "string") bytes += 2 * each.length;
    if (typeof each !== "object" || each === null) continue;
    bytes += objectBytes;
    for (const key in each) {
      bytes += memberBytes;
      pending.push((each as Record<string, unknown>)[key]);
    }
  }
  return bytes;
}

const objectBytes = 56;
const memberBytes = 32;

/** Values made of the latest object, by form: all watches receive an event in the same turn, and share them. */
export class Latest<Value> {
  private object: object | undefined;
  private readonly values = new Map<string, Value>();

  get(object: object, form: string, make: () => Value): Value {
    if (this.object !== object) this.values.clear();
    this.object = object;
    let value = this.values.get(form);
    if (value === undefined) this.values.set(form, (value = make()));
    return value;
  }
}
