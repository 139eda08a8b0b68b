import { expect, it } from "vitest";
import { manualClock } from "../../../src/testing/manual-clock.ts";

it("runs the timers that are due, in order", async () => {
  const clock = manualClock(new Date(1000));
  const calls: string[] = [];
  clock.after(20, () => {
    calls.push(`b at ${clock.now()}`);
    clock.after(5, () => calls.push(`c at ${clock.now()}`));
  });
  clock.after(10, () => calls.push(`a at ${clock.now()}`));
  clock.after(100, () => calls.push("late"));
  const cancel = clock.after(15, () => calls.push("cancelled"));
  cancel();
  await clock.advance(50);
  expect(calls).toEqual(["a at 1010", "b at 1020", "c at 1025"]);
  expect(clock.now()).toBe(1050);
});
