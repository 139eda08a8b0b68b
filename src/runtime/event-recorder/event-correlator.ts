import type { Clock } from "../../apimachinery/clock.ts";
import { tokenBucket, type TokenBucket } from "../../client/transport/token-bucket.ts";

/** The identity of an event: similar events share it, equal events also share the message. */
export interface EventIdentity {
  readonly component: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The identity of the object as a text. */
  readonly object: string;
}

export type Correlation =
  /** Drop the event: the object has had too many. */
  | { readonly action: "drop" }
  | { readonly action: "create"; readonly key: string; readonly message: string }
  /** Count the event, which was recorded under this key before. */
  | { readonly action: "count"; readonly key: string; readonly message: string; readonly count: number };

const similarLimit = 10;
const similarMs = 600_000;
const burst = 25;
const secondsPerEvent = 300;

/**
 * Decides on a core/v1 event as client-go does: a repetition is counted, the tenth of ten minutes that differs only in
 * its message is aggregated with later ones, and an object gets 25 events and then one every five minutes.
 */
export class EventCorrelator {
  private readonly clock: Clock;
  private readonly similar = new Recent<{ messages: Set<string>; last: number }>();
  private readonly counts = new Recent<number>();
  private readonly budgets = new Recent<TokenBucket>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  correlate(event: EventIdentity): Correlation {
    const { key, message } = this.aggregate(event);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    if (!this.mayPass(event)) return { action: "drop" };
    return count === 1 ? { action: "create", key, message } : { action: "count", key, message, count };
  }

  private aggregate({ component, type, reason, message, object }: EventIdentity): { key: string; message: string } {
    const now = this.clock.now();
    const group = JSON.stringify([component, object, type, reason]);
    const known = this.similar.get(group);
    const record = known && now - known.last <= similarMs ? known : { messages: new Set<string>(), last: now };
    record.messages.add(message);
    record.last = now;
    this.similar.set(group, record);
    if (record.messages.size < similarLimit) return { key: JSON.stringify([group, message]), message };
    record.messages.delete(record.messages.values().next().value!);
    return { key: group, message: `(combined from similar events): ${message}` };
  }

  private mayPass({ component, object }: EventIdentity): boolean {
    const key = JSON.stringify([component, object]);
    const budget = this.budgets.get(key) ?? tokenBucket(1 / secondsPerEvent, burst, () => this.clock.now());
    this.budgets.set(key, budget);
    return budget.tryTake();
  }
}

/** The number of events that client-go remembers. */
const limit = 4096;

/** The values that were set last. */
export class Recent<T> {
  private readonly entries = new Map<string, T>();

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > limit) this.entries.delete(this.entries.keys().next().value!);
  }
}
