import { BaseQueue, type QueueOptions } from "./base-queue.ts";
import { DelayLine, delayOf, type Delayed } from "./delay-line.ts";
import { Heap } from "./heap.ts";
import { exponentialRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, Taken } from "./work-queue.ts";

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
export class PriorityQueue<R> extends BaseQueue<R> {
  override readonly limiter: RateLimiter;
  private readonly entries = new Map<string, Entry<R>>();
  private readonly ready = new Heap<Entry<R>>(comesFirst);
  private readonly delays: DelayLine<Entry<R>>;
  private nextOrder = 0;
  /** The last returned request, whose key its reconcile needs repeatedly. */
  private taken: { readonly item: R; readonly key: string } | undefined;

  constructor(options: QueueOptions<R>) {
    super(options);
    this.limiter = options.rateLimiter ?? exponentialRateLimiter();
    this.delays = new DelayLine(this.clock, (entry) => this.makeReady(entry));
  }

  override get length(): number {
    return this.ready.size;
  }

  override add(item: R, options: AddOptions = {}): void {
    if (this.closed) return;
    const key = this.keyOf(item);
    const delay = delayOf(key, options, this);
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

  override shutDown(): void {
    this.delays.stop();
    super.shutDown();
  }

  protected override keyOfTaken(item: R): string {
    return this.taken?.item === item ? this.taken.key : this.keyOf(item);
  }

  protected override release(key: string): void {
    const entry = this.entries.get(key);
    if (entry?.state !== "parked") return;
    entry.state = "ready";
    this.ready.push(entry);
    this.handOut();
  }

  protected override take(): Taken<R> | undefined {
    const entry = this.closed ? undefined : this.ready.pop();
    if (!entry) return undefined;
    this.taken = entry;
    this.entries.delete(entry.key);
    this.startWork(entry.key, entry.readyAt, entry.priority);
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
    if (this.isWorkedOn(entry.key)) {
      entry.state = "parked";
      return;
    }
    entry.state = "ready";
    this.ready.push(entry);
    this.handOut();
  }
}

function comesFirst<R>(a: Entry<R>, b: Entry<R>): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
