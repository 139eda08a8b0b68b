import { expect, it } from "vitest";
import type { Clock } from "../../../../../src/apimachinery/clock.ts";
import { WorkLoop } from "../../../../../src/sandbox/simulation/context/work-loop.ts";

/** A clock that only moves when told; each move lets promises settle in between. */
function manualClock(): Clock & { advance(ms: number): Promise<void> } {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    async advance(ms) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      timers = timers.filter((timer) => !due.includes(timer));
      for (const { callback } of due) callback();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function loopOf(step: (key: string) => Promise<number | void>) {
  const clock = manualClock();
  const stop = new AbortController();
  const errors: unknown[] = [];
  const loop = new WorkLoop({ clock, delay: () => 100, step, onError: (error) => errors.push(error) });
  const done = loop.start(stop.signal);
  const end = async () => {
    stop.abort();
    await done;
  };
  return { clock, loop, errors, end };
}

it("looks once at what changed several times, after the delay", async () => {
  const looks: string[] = [];
  const { clock, loop, end } = loopOf(async (key) => void looks.push(key));
  loop.add("a");
  loop.add("a");
  loop.add("b");
  await clock.advance(99);
  expect(looks).toEqual([]);
  await clock.advance(1);
  expect(looks).toEqual(["a", "b"]);
  await end();
});

it("does not put off what is waiting already", async () => {
  const looks: string[] = [];
  const { clock, loop, end } = loopOf(async (key) => void looks.push(key));
  loop.add("a");
  await clock.advance(60);
  loop.add("a");
  await clock.advance(40);
  expect(looks).toEqual(["a"]);
  await end();
});

it("looks again when asked to", async () => {
  let looks = 0;
  const { clock, loop, end } = loopOf(async () => (++looks === 1 ? 50 : undefined));
  loop.add("a");
  await clock.advance(100);
  await clock.advance(50);
  await clock.advance(1000);
  expect(looks).toBe(2);
  await end();
});

it("repeats failed looks ever slower, and tells of them", async () => {
  let looks = 0;
  const { clock, loop, errors, end } = loopOf(async () => {
    if (++looks < 3) throw new Error(`look ${looks}`);
  });
  loop.add("a");
  await clock.advance(100);
  await clock.advance(39);
  expect(looks).toBe(1);
  await clock.advance(1);
  expect(looks).toBe(2);
  await clock.advance(80);
  expect(looks).toBe(3);
  expect(errors.map(String)).toEqual(["Error: look 1", "Error: look 2"]);
  await end();
});

it("ends without another look", async () => {
  let looks = 0;
  const { clock, loop, end } = loopOf(async () => void looks++);
  loop.add("a");
  await end();
  await clock.advance(1000);
  expect(looks).toBe(0);
});
