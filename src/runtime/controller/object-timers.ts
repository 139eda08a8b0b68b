import { TsopError } from "../../errors/tsop-error.ts";
import type { Enqueue } from "./handlers.ts";
import { requestKey, type Request } from "./request.ts";
import type { Source, SourceContext } from "./sources.ts";

/** The interval of checking the wall clock, which can be set while a timer runs. */
const longestWaitMs = 60_000;

interface Timer {
  readonly request: Request;
  readonly at: number;
  cancel?: () => void;
}

/**
 * A timer for each object, which requests a reconcile at its time, regardless of other reconciles before it. Unlike
 * `requeueAfter`, a timer can be moved or cleared, and follows the wall clock.
 *
 * @example
 * const timers = new ObjectTimers();
 * controllerManagedBy(mgr).for(Memcached).watchesSource(timers);
 * timers.set(request, Date.now() + 3_600_000); // and timers.clear(request) if it is no longer needed
 */
export class ObjectTimers implements Source {
  readonly description = "object timers";
  private readonly wallClock: () => number;
  private readonly timers = new Map<string, Timer>();
  private started: { readonly enqueue: Enqueue; readonly ctx: SourceContext } | undefined;

  constructor(wallClock: () => number = Date.now) {
    this.wallClock = wallClock;
  }

  /** Sets the timer of an object, replacing its previous one. A time in the past is due at once. */
  set(request: Request, at: Date | number): void {
    // It would be due at once, and a reconcile that sets it again would never end.
    if (Number.isNaN(Number(at))) throw new TsopError("TSOP_TIMER_INVALID", { request: requestKey(request) });
    this.clear(request);
    const timer: Timer = { request, at: Number(at) };
    this.timers.set(requestKey(request), timer);
    this.wind(timer);
  }

  clear(request: Request): void {
    const key = requestKey(request);
    this.timers.get(key)?.cancel?.();
    this.timers.delete(key);
  }

  start(enqueue: Enqueue, ctx: SourceContext): Promise<void> {
    this.started = { enqueue, ctx };
    ctx.signal.addEventListener("abort", () => this.stop(), { once: true });
    for (const timer of this.timers.values()) this.wind(timer);
    return Promise.resolve();
  }

  private wind(timer: Timer): void {
    if (!this.started) return;
    const wait = timer.at - this.wallClock();
    if (wait > 0) {
      timer.cancel = this.started.ctx.clock.after(Math.min(wait, longestWaitMs), () => this.wind(timer));
      return;
    }
    this.timers.delete(requestKey(timer.request));
    this.started.enqueue(timer.request, 0);
  }

  private stop(): void {
    this.started = undefined;
    for (const { cancel } of this.timers.values()) cancel?.();
    this.timers.clear();
  }
}
