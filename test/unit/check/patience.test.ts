import { expect, it } from "vitest";
import { fullPatience, patienceAfter, planPatience } from "../../../src/check/patience.ts";

it("is the usual one if no step was slow", () => {
  expect(patienceAfter(0, planPatience)).toEqual(planPatience);
  expect(patienceAfter(2_400, planPatience)).toEqual(planPatience);
});

it("is three times the slowest step, and waits for a sign as long as that step took", () => {
  expect(patienceAfter(6_000, planPatience)).toEqual({ quietMs: 150, limitMs: 18_000, idleMs: 6_000 });
});

it("lasts until the limit if nothing else ends it", () => {
  expect(patienceAfter(6_000, fullPatience)).toEqual({ quietMs: 150, limitMs: 18_000 });
});
