import type { Clock } from "../../apimachinery/clock.ts";
import { tokenBucket, type TokenBucket } from "../../client/transport/token-bucket.ts";
import { Recent } from "./recent.ts";

/** What makes two events similar; with the message, the same. */
export interface EventIdentity {
  readonly component: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The object, in a form that differs for different objects. */
  readonly object: string;
}

export type Correlation =
  /** Say nothing: this object has had too many events already. */
  | { readonly action: "drop" }
  | { readonly action: "create"; readonly key: string; readonly message: string }
  /** It has been said before, by the event that was noted under this key. */
  | { readonly action: "count"; readonly key: string; readonly message: string; readonly count: number };

const similarLimit = 10;
const similarMs = 600_000;
const burst = 25;
const secondsPerEvent = 300;

/**
 * Decides what becomes of a core/v1 event as client-go does: the same one again is counted, the tenth of ten minutes
 * that differs in its message only is put together with those after it, and an object gets 25 events and then one every
 * five minutes.
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
