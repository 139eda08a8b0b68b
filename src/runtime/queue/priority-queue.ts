import type { Clock } from "../../apimachinery/clock.ts";
import { monotonicClock } from "../monotonic-clock.ts";
import { DelayLine, delayOf, type Delayed } from "./delay-line.ts";
import { Heap } from "./heap.ts";
import { exponentialRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, QueueObserver, Taken, WorkQueue } from "./work-queue.ts";

export interface QueueOptions<R> {
  /** Two requests with the same key are the same request. */
  readonly keyOf: (item: R) => string;
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver | undefined;
}

interface Entry<R> extends Delayed {
  readonly key: string;
  readonly item: R;
  priority: number;
  /** First come, first served within a priority. */
  order: number;
  /** `parked`: due, but the same request is being worked on. */
  state: "ready" | "waiting" | "parked";
}

/**
 * Returns the highest priority first, then in order of arrival. Delayed requests wait in a heap behind one timer.
 */
export class PriorityQueue<R> implements WorkQueue<R> {
  private readonly keyOf: (item: R) => string;
  private readonly clock: Clock;
  private readonly limiter: RateLimiter;
  private readonly observer: QueueObserver | undefined;
  private readonly working = new Map<string, number>();
  private readonly takers: ((taken: Taken<R> | undefined) => void)[] = [];
  private closed = false;
  private readonly entries = new Map<string, Entry<R>>();
  private readonly ready = new Heap<Entry<R>>(comesFirst);
  private readonly delays: DelayLine<Entry<R>>;
  private nextOrder = 0;
  /** The last returned request, whose key its reconcile needs repeatedly. */
  private taken: { readonly item: R; readonly key: string } | undefined;

  constructor(options: QueueOptions<R>) {
    this.keyOf = options.keyOf;
    this.clock = options.clock ?? monotonicClock;
    this.limiter = options.rateLimiter ?? exponentialRateLimiter();
    this.observer = options.observer;
    this.delays = new DelayLine(this.clock, (entry) => this.makeReady(entry));
  }

  get length(): number {
    return this.ready.size;
  }

  add(item: R, options: AddOptions = {}): void {
    if (this.closed) return;
    const key = this.keyOf(item);
    const delay = delayOf(key, options, { limiter: this.limiter, observer: this.observer });
    const now = this.clock.now();
    const readyAt = delay > 0 ? now + delay : now;
    const priority = options.priority ?? 0;
    const entry = this.entries.get(key);
    if (!entry) this.insert({ key, item, priority, order: 0, readyAt, state: "waiting", heapIndex: -1 }, delay <= 0);
    else this.merge(entry, { priority, readyAt, due: delay <= 0 });
  }

  discard(matches: (item: R) => boolean): void {
    for (const [key, entry] of this.entries) {
      if (!matches(entry.item)) continue;
      this.entries.delete(key);
      this.limiter.forget(key);
      if (entry.state === "waiting") this.delays.remove(entry);
      else this.observer?.depth(entry.priority, -1);
      if (entry.state === "ready") this.ready.remove(entry);
    }
  }

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
    this.delays.stop();
    for (const taker of this.takers.splice(0)) taker(undefined);
  }

  /** Returns the key of a request that was handed out. */
  private keyOfTaken(item: R): string {
    return this.taken?.item === item ? this.taken.key : this.keyOf(item);
  }

  /** Makes a request due again that was added while it was worked on. */
  private release(key: string): void {
    const entry = this.entries.get(key);
    if (entry?.state !== "parked") return;
    entry.state = "ready";
    this.ready.push(entry);
    this.handOut();
  }

  private take(): Taken<R> | undefined {
    const entry = this.closed ? undefined : this.ready.pop();
    if (!entry) return undefined;
    const now = this.clock.now();
    this.taken = entry;
    this.entries.delete(entry.key);
    this.working.set(entry.key, now);
    this.observer?.depth(entry.priority, -1);
    this.observer?.taken((now - entry.readyAt) / 1000);
    return { item: entry.item, priority: entry.priority };
  }

  private insert(entry: Entry<R>, due: boolean): void {
    this.entries.set(entry.key, entry);
    if (due) this.makeReady(entry);
    else this.delays.add(entry);
  }

  /** Merges entries: the earlier time and the higher priority apply. */
  private merge(entry: Entry<R>, wanted: { priority: number; readyAt: number; due: boolean }): void {
    if (wanted.priority > entry.priority) {
      if (entry.state !== "waiting") {
        this.observer?.depth(entry.priority, -1);
        this.observer?.depth(wanted.priority, 1);
      }
      entry.priority = wanted.priority;
      entry.order = this.nextOrder++;
      if (entry.state === "ready") this.ready.update(entry);
    }
    if (entry.state !== "waiting") return;
    if (wanted.due) {
      this.delays.remove(entry);
      entry.readyAt = wanted.readyAt;
      this.makeReady(entry);
    } else this.delays.bringForward(entry, wanted.readyAt);
  }

  private makeReady(entry: Entry<R>): void {
    entry.order = this.nextOrder++;
    this.observer?.added(entry.priority);
    this.observer?.depth(entry.priority, 1);
    if (this.working.has(entry.key)) {
      entry.state = "parked";
      return;
    }
    entry.state = "ready";
    this.ready.push(entry);
    this.handOut();
  }

  /** Hands requests that are due to workers that wait. */
  private handOut(): void {
    while (this.takers.length > 0 && this.length > 0) this.takers.shift()!(this.take());
  }
}

function comesFirst<R>(a: Entry<R>, b: Entry<R>): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
