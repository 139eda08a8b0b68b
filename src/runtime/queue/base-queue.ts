import { monotonicClock } from "../monotonic-clock.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, QueueObserver, Taken, WorkQueue } from "./work-queue.ts";

export interface QueueOptions<R> {
  /** Two requests with the same key are the same request. */
  readonly keyOf: (item: R) => string;
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver | undefined;
}

/** The hand-out of requests to workers, whatever the order in which they are due. */
export abstract class BaseQueue<R> implements WorkQueue<R> {
  abstract readonly limiter: RateLimiter;
  readonly observer: QueueObserver | undefined;
  protected readonly keyOf: (item: R) => string;
  protected readonly clock: Clock;
  protected closed = false;
  private readonly working = new Map<string, number>();
  private readonly takers: ((taken: Taken<R> | undefined) => void)[] = [];

  constructor({ keyOf, clock = monotonicClock, observer }: QueueOptions<R>) {
    this.keyOf = keyOf;
    this.clock = clock;
    this.observer = observer;
  }

  abstract get length(): number;
  abstract add(item: R, options?: AddOptions): void;

  get workStarts(): Iterable<number> {
    return this.working.values();
  }

  get(): Promise<Taken<R> | undefined> {
    const taken = this.take();
    if (taken || this.closed) return Promise.resolve(taken);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  done(item: R): void {
    const key = this.keyOfTaken(item);
    const started = this.working.get(key);
    if (started === undefined) return;
    this.working.delete(key);
    this.observer?.finished((this.clock.now() - started) / 1000);
    this.release(key);
  }

  forget(item: R): void {
    this.limiter.forget(this.keyOfTaken(item));
  }

  failures(item: R): number {
    return this.limiter.failures(this.keyOfTaken(item));
  }

  shutDown(): void {
    this.closed = true;
    for (const taker of this.takers.splice(0)) taker(undefined);
  }

  /** Takes the next request that is due off the queue, and calls `startWork`. */
  protected abstract take(): Taken<R> | undefined;

  /** Makes a request due again that was added while it was worked on. */
  protected abstract release(key: string): void;

  /** Returns the key of a request that was handed out. */
  protected keyOfTaken(item: R): string {
    return this.keyOf(item);
  }

  protected isWorkedOn(key: string): boolean {
    return this.working.has(key);
  }

  /** Notes that work on a request begins, which was due at `since`. */
  protected startWork(key: string, since: number, priority?: number): void {
    const now = this.clock.now();
    this.working.set(key, now);
    this.observer?.depth(priority, -1);
    this.observer?.taken((now - since) / 1000);
  }

  /** Hands requests that are due to workers that wait. */
  protected handOut(): void {
    while (this.takers.length > 0 && this.length > 0) this.takers.shift()!(this.take());
  }
}
