import { systemClock, type Clock } from "../clock.ts";
import { DelayLine, delayOf, type Delayed } from "./delay-line.ts";
import type { PriorityQueueOptions } from "./priority-queue.ts";
import { bucketRateLimiter, exponentialRateLimiter, maxOfRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, QueueObserver, Taken, WorkQueue } from "./work-queue.ts";

interface Due<R> {
  readonly item: R;
  readonly since: number;
}

interface Later<R> extends Delayed {
  readonly key: string;
  readonly item: R;
}

/**
 * client-go's queue, for `usePriorityQueue: false`: in order of arrival without priorities, all retries together at
 * most 10 a second after a burst of 100, and due items are still returned after a shutdown.
 */
export class ClassicQueue<R> implements WorkQueue<R> {
  readonly #keyOf: (item: R) => string;
  readonly #clock: Clock;
  readonly limiter: RateLimiter;
  readonly observer: QueueObserver | undefined;
  /** Due requests in order, by key; a request in process waits among the dirty ones only. */
  readonly #ready = new Map<string, Due<R>>();
  readonly #dirty = new Map<string, Due<R>>();
  readonly #working = new Map<string, number>();
  readonly #later = new Map<string, Later<R>>();
  readonly #delays: DelayLine<Later<R>>;
  readonly #takers: ((taken: Taken<R> | undefined) => void)[] = [];
  #closed = false;

  constructor(options: PriorityQueueOptions<R>) {
    this.#keyOf = options.keyOf;
    this.#clock = options.clock ?? systemClock;
    this.limiter = options.rateLimiter ?? classicRateLimiter(() => this.#clock.now());
    this.observer = options.observer;
    this.#delays = new DelayLine(this.#clock, ({ key, item }) => {
      this.#later.delete(key);
      this.#addNow(key, item);
    });
  }

  get length(): number {
    return this.#ready.size;
  }

  /** The start times of all requests in process, on the queue's clock; for metrics. */
  get workStarts(): Iterable<number> {
    return this.#working.values();
  }

  add(item: R, options: AddOptions = {}): void {
    if (this.#closed) return;
    const key = this.#keyOf(item);
    const delay = delayOf(key, options, this);
    if (delay > 0) this.#addLater(key, item, this.#clock.now() + delay);
    else this.#addNow(key, item);
  }

  get(): Promise<Taken<R> | undefined> {
    const taken = this.#take();
    if (taken || this.#closed) return Promise.resolve(taken);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(item: R): void {
    const key = this.#keyOf(item);
    const started = this.#working.get(key);
    if (started === undefined) return;
    this.#working.delete(key);
    this.observer?.finished((this.#clock.now() - started) / 1000);
    const again = this.#dirty.get(key);
    if (again) this.#makeReady(key, again);
  }

  forget(item: R): void {
    this.limiter.forget(this.#keyOf(item));
  }

  failures(item: R): number {
    return this.limiter.failures(this.#keyOf(item));
  }

  shutDown(): void {
    this.#closed = true;
    this.#delays.stop();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #addNow(key: string, item: R): void {
    if (this.#dirty.has(key)) return;
    const due = { item, since: this.#clock.now() };
    this.observer?.added(undefined);
    this.observer?.depth(undefined, 1);
    this.#dirty.set(key, due);
    if (!this.#working.has(key)) this.#makeReady(key, due);
  }

  #addLater(key: string, item: R, readyAt: number): void {
    const known = this.#later.get(key);
    if (known) {
      this.#delays.bringForward(known, readyAt);
      return;
    }
    const entry = { key, item, readyAt, heapIndex: -1 };
    this.#later.set(key, entry);
    this.#delays.add(entry);
  }

  #makeReady(key: string, due: Due<R>): void {
    this.#ready.set(key, due);
    const taker = this.#takers.shift();
    if (taker) taker(this.#take());
  }

  #take(): Taken<R> | undefined {
    const [first] = this.#ready;
    if (!first) return undefined;
    const [key, { item, since }] = first;
    const now = this.#clock.now();
    this.#ready.delete(key);
    this.#dirty.delete(key);
    this.#working.set(key, now);
    this.observer?.depth(undefined, -1);
    this.observer?.taken((now - since) / 1000);
    return { item, priority: 0 };
  }
}

/**
 * Creates client-go's limiter: 10 retries a second of all requests together, after a burst of 100, and growing waits
 * for each.
 */
function classicRateLimiter(now: () => number): RateLimiter {
  return maxOfRateLimiter(exponentialRateLimiter(), bucketRateLimiter(10, 100, now));
}
