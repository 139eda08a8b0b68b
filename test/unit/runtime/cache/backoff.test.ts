import { expect, it } from "vitest";
import { Backoff } from "../../../../src/runtime/cache/backoff.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";

it("doubles the delay up to half a minute, and resets after two quiet minutes", async () => {
  const clock = manualClock(new Date(0));
  const backoff = new Backoff(clock, { random: () => 0 });
  expect(Array.from({ length: 8 }, () => backoff.next())).toEqual([
    800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000,
  ]);
  await clock.advance(120_000);
  expect(backoff.next()).toBe(30_000);
  await clock.advance(120_001);
  expect(backoff.next()).toBe(800);
});

it("adds up to the same delay again as jitter", () => {
  const backoff = new Backoff(manualClock(new Date(0)), { random: () => 0.5 });
  expect([backoff.next(), backoff.next()]).toEqual([1200, 2400]);
});

it("limits the delay of an attempt, and goes on from there", () => {
  const backoff = new Backoff(manualClock(new Date(0)), { random: () => 0.5 });
  const limited = Array.from({ length: 5 }, () => backoff.next(2000));
  expect(limited).toEqual([1200, 2400, 3000, 3000, 3000]);
  expect([backoff.next(), backoff.next()]).toEqual([3000, 6000]);
});
