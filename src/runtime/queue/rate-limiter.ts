import { tokenBucket } from "../../client/transport/token-bucket.ts";

/** Decides how long an item waits before it is tried again. Items are known by their key. */
export interface RateLimiter {
  /** Counts a failure and says how many milliseconds to wait. */
  when(key: string): number;
  forget(key: string): void;
  failures(key: string): number;
}

/**
 * 5 ms, 10 ms, 20 ms … up to 1000 s for each item on its own: the default.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached).withOptions({ rateLimiter: exponentialRateLimiter(100, 60_000) });
 */
export function exponentialRateLimiter(baseMs = 5, maxMs = 1_000_000): RateLimiter {
  const counts = new Map<string, number>();
  return {
    when(key) {
      const failures = counts.get(key) ?? 0;
      counts.set(key, failures + 1);
      return Math.min(baseMs * 2 ** failures, maxMs);
    },
    forget: (key) => void counts.delete(key),
    failures: (key) => counts.get(key) ?? 0,
  };
}

/**
 * At most `perSecond` retries of all items together, after a burst.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached).withOptions({ rateLimiter: bucketRateLimiter(10, 100) });
 */
export function bucketRateLimiter(perSecond: number, burst: number, now?: () => number): RateLimiter {
  const bucket = tokenBucket(perSecond, burst, now);
  return { when: () => bucket.take(), forget: () => undefined, failures: () => 0 };
}

/**
 * A few quick tries of each item, and slow ones from then on.
 *
 * @example
 * const rateLimiter = fastSlowRateLimiter(100, 60_000, 5);
 */
export function fastSlowRateLimiter(fastMs: number, slowMs: number, maxFast: number): RateLimiter {
  const counts = new Map<string, number>();
  return {
    when(key) {
      const failures = (counts.get(key) ?? 0) + 1;
      counts.set(key, failures);
      return failures <= maxFast ? fastMs : slowMs;
    },
    forget: (key) => void counts.delete(key),
    failures: (key) => counts.get(key) ?? 0,
  };
}

/**
 * What another limiter says, but never longer than `maxMs`.
 *
 * @example
 * const rateLimiter = withMaxWaitRateLimiter(bucketRateLimiter(10, 100), 30_000);
 */
export function withMaxWaitRateLimiter(limiter: RateLimiter, maxMs: number): RateLimiter {
  return {
    when: (key) => Math.min(limiter.when(key), maxMs),
    forget: (key) => limiter.forget(key),
    failures: (key) => limiter.failures(key),
  };
}

/**
 * The longest wait of several limiters.
 *
 * @example
 * const rateLimiter = maxOfRateLimiter(exponentialRateLimiter(), bucketRateLimiter(10, 100));
 * controllerManagedBy(mgr).for(Memcached).withOptions({ rateLimiter });
 */
export function maxOfRateLimiter(...limiters: RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => limiters.forEach((limiter) => limiter.forget(key)),
    failures: (key) => Math.max(...limiters.map((limiter) => limiter.failures(key))),
  };
}
