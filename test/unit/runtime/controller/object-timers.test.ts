import { describe, expect, it } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { ObjectTimers } from "../../../../src/runtime/controller/object-timers.ts";
import { requeueAt } from "../../../../src/runtime/controller/reconciler.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";

const noon = Date.UTC(2026, 5, 1, 12);
const [a, b] = [
  { namespace: "n", name: "a" },
  { namespace: "n", name: "b" },
];

function setUp() {
  const clock = manualClock(new Date(0));
  const wall = { offset: noon };
  const timers = new ObjectTimers(() => wall.offset + clock.now());
  const rung: string[] = [];
  const stop = new AbortController();
  const start = () =>
    timers.start(({ name }) => rung.push(name), {
      signal: stop.signal,
      log: discardLogger,
      clock,
      syncTimeoutMs: 1000,
    });
  return { clock, wall, timers, rung, stop, start };
}

describe("object timers", () => {
  it("refuse an invalid time, which would always be due", async () => {
    const { timers, rung, start } = setUp();
    await start();
    expect(() => timers.set(a, new Date("soon"))).toThrow("a timer of n/a was set to an invalid time");
    expect(rung).toEqual([]);
  });

  it("fire once, at their time, including those that were set before the start", async () => {
    const { clock, timers, rung, start } = setUp();
    timers.set(a, new Date(noon + 90_000));
    await start();
    timers.set(b, noon + 10_000);
    await clock.advance(10_000);
    expect(rung).toEqual(["b"]);
    await clock.advance(79_999);
    expect(rung).toEqual(["b"]);
    await clock.advance(1);
    await clock.advance(3_600_000);
    expect(rung).toEqual(["b", "a"]);
    expect(clock.pending).toBe(0);
  });

  it("exist once for each object: the last time wins, or none", async () => {
    const { clock, timers, rung, start } = setUp();
    await start();
    timers.set(a, noon + 1000);
    timers.set({ ...a }, noon + 5000);
    timers.set(b, noon + 1000);
    timers.clear({ ...b });
    await clock.advance(4999);
    expect(rung).toEqual([]);
    await clock.advance(1);
    expect(rung).toEqual(["a"]);
  });

  it("fire immediately if the time has passed, and notice a change of the clock", async () => {
    const { clock, wall, timers, rung, start } = setUp();
    await start();
    timers.set(a, noon - 1);
    expect(rung).toEqual(["a"]);
    timers.set(b, noon + 3_600_000);
    wall.offset += 3_600_000;
    await clock.advance(60_000);
    expect(rung).toEqual(["a", "b"]);
  });

  it("stop with the controller", async () => {
    const { clock, timers, rung, stop, start } = setUp();
    await start();
    timers.set(a, noon + 1000);
    stop.abort();
    expect(clock.pending).toBe(0);
    await clock.advance(2000);
    expect(rung).toEqual([]);
  });
});

describe("requeueAt", () => {
  it.each([
    ["a date", new Date(noon + 1500), { requeueAfter: 1500 }],
    ["milliseconds", noon + 20, { requeueAfter: 20 }],
    ["a time in the past", noon - 20, { requeueAfter: 1 }],
  ])("accepts %s", (_what, time, result) => {
    expect(requeueAt(time, noon)).toEqual(result);
  });
});
