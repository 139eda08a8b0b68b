import type { Clock } from "../../apimachinery/clock.ts";

export interface BackoffOptions {
  readonly baseMs?: number;
  readonly maxMs?: number;
  /** The time without failure after which the wait starts again from the base. */
  readonly resetMs?: number;
  readonly random?: () => number;
}

/**
 * Increasing waits between attempts, as in client-go's reflector: 0.8 s doubled up to 30 s, each with up to 100 %
 * jitter.
 */
export class Backoff {
  private readonly clock: Clock;
  private readonly base: number;
  private readonly max: number;
  private readonly reset: number;
  private readonly random: () => number;
  private current: number;
  private last = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, options: BackoffOptions = {}) {
    this.clock = clock;
    this.base = options.baseMs ?? 800;
    this.max = options.maxMs ?? 30_000;
    this.reset = options.resetMs ?? 120_000;
    this.random = options.random ?? Math.random;
    this.current = this.base;
  }

  /** Returns the next wait, which begins with at most `maxMs` before the jitter. */
  next(maxMs: number = this.max): number {
    const now = this.clock.now();
    if (now - this.last > this.reset) this.current = this.base;
    this.last = now;
    const wait = Math.min(this.current, maxMs);
    this.current = Math.min(wait * 2, maxMs);
    return wait * (1 + this.random());
  }

  /** Starts again from the base, after a success. */
  restart(): void {
    this.current = this.base;
  }
}
