import { tokenBucket } from "../../client/transport/token-bucket.ts";

/** Decides how long an item waits before a retry. Items are identified by their key. */
export interface RateLimiter {
  /** Counts a failure and returns the wait in milliseconds. */
  when(key: string): number;
  forget(key: string): void;
  failures(key: string): number;
}

/**
 * Creates the default limiter: 5 ms, 10 ms, 20 ms … up to 1000 s for each item.
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
 * Creates a limiter of all items together: at most `perSecond` retries, after a burst.
 *
 * @example
 * controllerManagedBy(mgr).for(Memcached).withOptions({ rateLimiter: bucketRateLimiter(10, 100) });
 */
export function bucketRateLimiter(perSecond: number, burst: number, now?: () => number): RateLimiter {
  const bucket = tokenBucket(perSecond, burst, now);
  return { when: () => bucket.take(), forget: () => undefined, failures: () => 0 };
}

/**
 * Creates a limiter with a few fast retries of each item, and slow ones after them.
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
 * Limits the wait of another limiter to `maxMs`.
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
 * Returns the longest wait of several limiters.
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
