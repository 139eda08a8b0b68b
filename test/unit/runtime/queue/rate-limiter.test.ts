import { describe, expect, it } from "vitest";
import {
  bucketRateLimiter,
  exponentialRateLimiter,
  fastSlowRateLimiter,
  maxOfRateLimiter,
  withMaxWaitRateLimiter,
} from "../../../../src/runtime/queue/rate-limiter.ts";

describe("a rate limiter", () => {
  it("doubles from 5 ms up to 1000 s, separately for each item", () => {
    const limiter = exponentialRateLimiter();
    const waits = Array.from({ length: 20 }, () => limiter.when("a"));
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.at(-1)).toBe(1_000_000);
    expect(limiter.when("b")).toBe(5);
    expect(limiter.failures("a")).toBe(20);
    limiter.forget("a");
    expect(limiter.failures("a")).toBe(0);
    expect(limiter.when("a")).toBe(5);
  });

  it("stays at the limit after a thousand failures", () => {
    const limiter = exponentialRateLimiter();
    let wait = 0;
    for (let n = 0; n < 2000; n++) wait = limiter.when("a");
    expect(wait).toBe(1_000_000);
  });

  it("allows a burst from the bucket, and then spreads the rest", () => {
    let now = 0;
    const limiter = bucketRateLimiter(10, 2, () => now);
    expect([limiter.when("a"), limiter.when("b"), limiter.when("c"), limiter.when("d")]).toEqual([0, 0, 100, 200]);
    now = 10_000;
    expect(limiter.when("a")).toBe(0);
  });

  it("retries quickly a few times, and slowly afterwards", () => {
    const limiter = fastSlowRateLimiter(5, 10_000, 2);
    expect([limiter.when("a"), limiter.when("a"), limiter.when("a"), limiter.when("b")]).toEqual([5, 5, 10_000, 5]);
    expect(limiter.failures("a")).toBe(3);
    limiter.forget("a");
    expect(limiter.when("a")).toBe(5);
  });

  it("limits the delay, and continues to count", () => {
    const limiter = withMaxWaitRateLimiter(exponentialRateLimiter(), 12);
    expect([limiter.when("a"), limiter.when("a"), limiter.when("a")]).toEqual([5, 10, 12]);
    expect(limiter.failures("a")).toBe(3);
    limiter.forget("a");
    expect(limiter.failures("a")).toBe(0);
  });

  it("uses the longest delay of several limiters", () => {
    const limiter = maxOfRateLimiter(exponentialRateLimiter(5, 1000), exponentialRateLimiter(50, 1000));
    expect([limiter.when("a"), limiter.when("a")]).toEqual([50, 100]);
    expect(limiter.failures("a")).toBe(2);
    limiter.forget("a");
    expect(limiter.when("a")).toBe(50);
  });
});
