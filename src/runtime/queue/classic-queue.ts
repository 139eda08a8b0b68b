import { BaseQueue, type QueueOptions } from "./base-queue.ts";
import { DelayLine, delayOf, type Delayed } from "./delay-line.ts";
import { bucketRateLimiter, exponentialRateLimiter, maxOfRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, Taken } from "./work-queue.ts";

interface Due<R> {
  readonly item: R;
  readonly since: number;
}

interface Later<R> extends Delayed {
  readonly key: string;
  readonly item: R;
}

/**
 * client-go's queue, for `usePriorityQueue: false`: in order of arrival without priorities, all retries
 * together at most 10 a second after a burst of 100, and due items are still returned after a shutdown.
 */
export class ClassicQueue<R> extends BaseQueue<R> {
  override readonly limiter: RateLimiter;
  /** Due requests in order, by key; a request in process waits among the dirty ones only. */
  private readonly ready = new Map<string, Due<R>>();
  private readonly dirty = new Map<string, Due<R>>();
  private readonly later = new Map<string, Later<R>>();
  private readonly delays: DelayLine<Later<R>>;

  constructor(options: QueueOptions<R>) {
    super(options);
    this.limiter = options.rateLimiter ?? classicRateLimiter(() => this.clock.now());
    this.delays = new DelayLine(this.clock, ({ key, item }) => {
      this.later.delete(key);
      this.addNow(key, item);
    });
  }

  override get length(): number {
    return this.ready.size;
  }

  override add(item: R, options: AddOptions = {}): void {
    if (this.closed) return;
    const key = this.keyOf(item);
    const delay = delayOf(key, options, this);
    if (delay > 0) this.addLater(key, item, this.clock.now() + delay);
    else this.addNow(key, item);
  }

  discard(matches: (item: R) => boolean): void {
    for (const [key, { item }] of this.dirty) {
      if (!matches(item)) continue;
      this.dirty.delete(key);
      this.ready.delete(key);
      this.limiter.forget(key);
      this.observer?.depth(undefined, -1);
    }
    for (const [key, entry] of this.later) {
      if (!matches(entry.item)) continue;
      this.later.delete(key);
      this.limiter.forget(key);
      this.delays.remove(entry);
    }
  }

  override shutDown(): void {
    this.delays.stop();
    super.shutDown();
  }

  protected override release(key: string): void {
    const again = this.dirty.get(key);
    if (again) this.makeReady(key, again);
  }

  protected override take(): Taken<R> | undefined {
    const [first] = this.ready;
    if (!first) return undefined;
    const [key, { item, since }] = first;
    this.ready.delete(key);
    this.dirty.delete(key);
    this.startWork(key, since);
    return { item, priority: 0 };
  }

  private addNow(key: string, item: R): void {
    if (this.dirty.has(key)) return;
    const due = { item, since: this.clock.now() };
    this.observer?.added(undefined);
    this.observer?.depth(undefined, 1);
    this.dirty.set(key, due);
    if (!this.isWorkedOn(key)) this.makeReady(key, due);
  }

  private addLater(key: string, item: R, readyAt: number): void {
    const known = this.later.get(key);
    if (known) {
      this.delays.bringForward(known, readyAt);
      return;
    }
    const entry = { key, item, readyAt, heapIndex: -1 };
    this.later.set(key, entry);
    this.delays.add(entry);
  }

  private makeReady(key: string, due: Due<R>): void {
    this.ready.set(key, due);
    this.handOut();
  }
}

/** 10 retries a second of all requests together, after a burst of 100; and each on its own with growing waits. */
function classicRateLimiter(now: () => number): RateLimiter {
  return maxOfRateLimiter(exponentialRateLimiter(), bucketRateLimiter(10, 100, now));
}
