import { describe, expect, it } from "vitest";
import { Turns } from "../../../src/runtime/turns.ts";

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("a loop over many objects", () => {
  const turns = new Turns();

  it("waits after it has used its time slice, and then gets a new one", async () => {
    work(20);
    expect(turns.next()).toBeInstanceOf(Promise);
    const hasTime = async (): Promise<boolean> => {
      await turns.next();
      return turns.next() === undefined;
    };
    await expect.poll(hasTime).toBe(true); // more than once on a machine that is suspended just then
    work(20);
    expect(turns.next()).toBeInstanceOf(Promise);
  });

  it("allows timers to fire, however long it runs", async () => {
    let fired = 0;
    const timer = setInterval(() => fired++, 1);
    for (let i = 0; i < 40; i++) {
      work(3);
      await turns.next();
    }
    clearInterval(timer);
    expect(fired).toBeGreaterThan(3);
  });

  it("shares the time slice with other loops of its manager only", () => {
    work(20);
    expect(turns.next()).toBe(turns.next());
    expect(new Turns().next()).not.toBe(turns.next());
  });
});
