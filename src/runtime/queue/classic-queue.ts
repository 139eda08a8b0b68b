import { systemClock, type Clock } from "../clock.ts";
import { Heap, type HeapItem } from "./heap.ts";
import type { PriorityQueueOptions } from "./priority-queue.ts";
import { bucketRateLimiter, exponentialRateLimiter, maxOfRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, QueueObserver, Taken, WorkQueue } from "./work-queue.ts";

interface Due<R> {
  readonly item: R;
  readonly since: number;
}

interface Delayed<R> extends HeapItem {
  readonly key: string;
  readonly item: R;
  readyAt: number;
}

/**
 * client-go's queue, for `usePriorityQueue: false`: first come, first served whatever the priority, all retries together
 * at most 10 a second after a burst of 100, and what is due when it is shut down is still handed out.
 */
export class ClassicQueue<R> implements WorkQueue<R> {
  private readonly keyOf: (item: R) => string;
  private readonly clock: Clock;
  private readonly limiter: RateLimiter;
  private readonly observer: QueueObserver | undefined;
  /** Due, in order, by key; a request that is worked on waits among the dirty ones only. */
  private readonly ready = new Map<string, Due<R>>();
  private readonly dirty = new Map<string, Due<R>>();
  private readonly working = new Map<string, number>();
  private readonly delayed = new Map<string, Delayed<R>>();
  private readonly waiting = new Heap<Delayed<R>>((a, b) => a.readyAt < b.readyAt);
  private readonly takers: ((taken: Taken<R> | undefined) => void)[] = [];
  private cancelTimer: (() => void) | undefined;
  private timerAt = Number.POSITIVE_INFINITY;
  private closed = false;

  constructor(options: PriorityQueueOptions<R>) {
    this.keyOf = options.keyOf;
    this.clock = options.clock ?? systemClock;
    this.limiter = options.rateLimiter ?? classicRateLimiter(() => this.clock.now());
    this.observer = options.observer;
  }

  get length(): number {
    return this.ready.size;
  }

  /** When the work on each request under way began, on the queue's clock; for metrics. */
  get workStarts(): Iterable<number> {
    return this.working.values();
  }

  add(item: R, options: AddOptions = {}): void {
    if (this.closed) return;
    const key = this.keyOf(item);
    const delay = this.delayOf(key, options);
    if (delay > 0) this.addLater(key, item, this.clock.now() + delay);
    else this.addNow(key, item);
  }

  get(): Promise<Taken<R> | undefined> {
    const taken = this.take();
    if (taken || this.closed) return Promise.resolve(taken);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  done(item: R): void {
    const key = this.keyOf(item);
    const started = this.working.get(key);
    if (started === undefined) return;
    this.working.delete(key);
    this.observer?.finished((this.clock.now() - started) / 1000);
    const again = this.dirty.get(key);
    if (again) this.makeReady(key, again);
  }

  forget(item: R): void {
    this.limiter.forget(this.keyOf(item));
  }

  failures(item: R): number {
    return this.limiter.failures(this.keyOf(item));
  }

  shutDown(): void {
    this.closed = true;
    this.cancelTimer?.();
    for (const taker of this.takers.splice(0)) taker(undefined);
  }

  private delayOf(key: string, { afterMs = 0, rateLimited }: AddOptions): number {
    if (rateLimited || afterMs > 0) this.observer?.retried();
    if (!rateLimited) return afterMs;
    const limited = this.limiter.when(key);
    return afterMs > 0 ? Math.min(afterMs, limited) : limited;
  }

  private addNow(key: string, item: R): void {
    if (this.dirty.has(key)) return;
    const due = { item, since: this.clock.now() };
    this.observer?.added(undefined);
    this.observer?.depth(undefined, 1);
    this.dirty.set(key, due);
    if (!this.working.has(key)) this.makeReady(key, due);
  }

  /** Of two times for one request the earlier one counts. */
  private addLater(key: string, item: R, readyAt: number): void {
    const known = this.delayed.get(key);
    if (!known) {
      const entry = { key, item, readyAt, heapIndex: -1 };
      this.delayed.set(key, entry);
      this.waiting.push(entry);
    } else if (readyAt < known.readyAt) {
      known.readyAt = readyAt;
      this.waiting.update(known);
    }
    this.setTimer();
  }

  private makeReady(key: string, due: Due<R>): void {
    this.ready.set(key, due);
    const taker = this.takers.shift();
    if (taker) taker(this.take());
  }

  private take(): Taken<R> | undefined {
    const [first] = this.ready;
    if (!first) return undefined;
    const [key, { item, since }] = first;
    const now = this.clock.now();
    this.ready.delete(key);
    this.dirty.delete(key);
    this.working.set(key, now);
    this.observer?.depth(undefined, -1);
    this.observer?.taken((now - since) / 1000);
    return { item, priority: 0 };
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
      this.delayed.delete(first.key);
      this.addNow(first.key, first.item);
    }
    this.setTimer();
  }
}

/** 10 retries a second of all requests together, after a burst of 100; and each on its own with growing waits. */
function classicRateLimiter(now: () => number): RateLimiter {
  return maxOfRateLimiter(exponentialRateLimiter(), bucketRateLimiter(10, 100, now));
}
