import { systemClock, type Clock } from "../clock.ts";
import { Heap, type HeapItem } from "./heap.ts";
import { exponentialRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, QueueObserver, Taken, WorkQueue } from "./work-queue.ts";

export interface PriorityQueueOptions<R> {
  /** Two requests with the same key are the same request. */
  readonly keyOf: (item: R) => string;
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver | undefined;
}

interface Entry<R> extends HeapItem {
  readonly key: string;
  readonly item: R;
  priority: number;
  /** First come, first served within a priority. */
  order: number;
  readyAt: number;
  /** `parked`: due, but the same request is being worked on. */
  state: "ready" | "waiting" | "parked";
}

/** Highest priority first, then first come first served; delayed requests wait in a heap of their own behind one timer. */
export class PriorityQueue<R> implements WorkQueue<R> {
  private readonly keyOf: (item: R) => string;
  private readonly clock: Clock;
  private readonly limiter: RateLimiter;
  private readonly observer: QueueObserver | undefined;
  private readonly entries = new Map<string, Entry<R>>();
  private readonly working = new Map<string, number>();
  private readonly ready = new Heap<Entry<R>>(comesFirst);
  private readonly waiting = new Heap<Entry<R>>((a, b) => a.readyAt < b.readyAt);
  private takers: ((taken: Taken<R> | undefined) => void)[] = [];
  private cancelTimer: (() => void) | undefined;
  private timerAt = Number.POSITIVE_INFINITY;
  private nextOrder = 0;
  private closed = false;

  constructor(options: PriorityQueueOptions<R>) {
    this.keyOf = options.keyOf;
    this.clock = options.clock ?? systemClock;
    this.limiter = options.rateLimiter ?? exponentialRateLimiter();
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
    const now = this.clock.now();
    const readyAt = delay > 0 ? now + delay : now;
    const priority = options.priority ?? 0;
    const entry = this.entries.get(key);
    if (!entry) this.insert({ key, item, priority, order: 0, readyAt, state: "waiting", heapIndex: -1 }, delay <= 0);
    else this.merge(entry, { priority, readyAt, due: delay <= 0 });
  }

  get(): Promise<Taken<R> | undefined> {
    const taken = this.closed ? undefined : this.take();
    if (taken || this.closed) return Promise.resolve(taken);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  done(item: R): void {
    const key = this.keyOf(item);
    const started = this.working.get(key);
    if (started === undefined) return;
    this.working.delete(key);
    this.observer?.finished((this.clock.now() - started) / 1000);
    const entry = this.entries.get(key);
    if (entry?.state !== "parked") return;
    entry.state = "ready";
    this.ready.push(entry);
    this.handOut();
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
    this.entries.clear();
    for (const taker of this.takers.splice(0)) taker(undefined);
  }

  private delayOf(key: string, { afterMs = 0, rateLimited }: AddOptions): number {
    if (!rateLimited) {
      if (afterMs > 0) this.observer?.retried();
      return afterMs;
    }
    this.observer?.retried();
    const limited = this.limiter.when(key);
    return afterMs > 0 ? Math.min(afterMs, limited) : limited;
  }

  private insert(entry: Entry<R>, due: boolean): void {
    this.entries.set(entry.key, entry);
    if (due) this.makeReady(entry);
    else {
      this.waiting.push(entry);
      this.setTimer();
    }
  }

  /** The earlier time and the higher priority win. */
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
      this.waiting.remove(entry);
      entry.readyAt = wanted.readyAt;
      this.makeReady(entry);
    } else if (wanted.readyAt < entry.readyAt) {
      entry.readyAt = wanted.readyAt;
      this.waiting.update(entry);
      this.setTimer();
    }
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

  private handOut(): void {
    while (this.takers.length > 0 && this.ready.size > 0) this.takers.shift()!(this.take());
  }

  private take(): Taken<R> | undefined {
    const entry = this.ready.pop();
    if (!entry) return undefined;
    const now = this.clock.now();
    this.entries.delete(entry.key);
    this.working.set(entry.key, now);
    this.observer?.depth(entry.priority, -1);
    this.observer?.taken((now - entry.readyAt) / 1000);
    return { item: entry.item, priority: entry.priority };
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
      this.makeReady(first);
    }
    this.setTimer();
  }
}

function comesFirst<R>(a: Entry<R>, b: Entry<R>): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
