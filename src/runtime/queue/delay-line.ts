import type { Clock } from "../../apimachinery/clock.ts";
import { Heap, type HeapItem } from "./heap.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, QueueObserver } from "./work-queue.ts";

export interface Delayed extends HeapItem {
  readyAt: number;
}

/** Items that become due later, all behind one timer. */
export class DelayLine<T extends Delayed> {
  private readonly clock: Clock;
  private readonly onDue: (item: T) => void;
  private readonly waiting = new Heap<T>((a, b) => a.readyAt < b.readyAt);
  private cancelTimer: (() => void) | undefined;
  private timerAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onDue: (item: T) => void) {
    this.clock = clock;
    this.onDue = onDue;
  }

  add(item: T): void {
    this.waiting.push(item);
    this.setTimer();
  }

  /** Keeps the earlier of two times for an item. */
  bringForward(item: T, readyAt: number): void {
    if (readyAt >= item.readyAt) return;
    item.readyAt = readyAt;
    this.waiting.update(item);
    this.setTimer();
  }

  remove(item: T): void {
    this.waiting.remove(item);
  }

  stop(): void {
    this.cancelTimer?.();
  }

  private setTimer(): void {
    const first = this.waiting.peek();
    if (!first || first.readyAt >= this.timerAt) return;
    this.cancelTimer?.();
    this.timerAt = first.readyAt;
    this.cancelTimer = this.clock.after(Math.max(0, first.readyAt - this.clock.now()), () => this.mature());
  }

  private mature(): void {
    this.timerAt = Number.POSITIVE_INFINITY;
    const now = this.clock.now();
    for (let first = this.waiting.peek(); first && first.readyAt <= now; first = this.waiting.peek()) {
      this.waiting.remove(first);
      this.onDue(first);
    }
    this.setTimer();
  }
}

/** Returns the wait of a request: its own, the one for its failures, or the shorter of both. */
export function delayOf(
  key: string,
  { afterMs = 0, rateLimited }: AddOptions,
  { limiter, observer }: { limiter: RateLimiter; observer: QueueObserver | undefined },
): number {
  if (rateLimited || afterMs > 0) observer?.retried();
  if (!rateLimited) return afterMs;
  const limited = limiter.when(key);
  return afterMs > 0 ? Math.min(afterMs, limited) : limited;
}
