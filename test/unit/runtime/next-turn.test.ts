import { describe, expect, it } from "vitest";
import { nextTurn } from "../../../src/runtime/next-turn.ts";

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("a loop over many objects", () => {
  it("must wait after it has used its time slice, and then gets a new one", async () => {
    work(20);
    expect(nextTurn()).toBeInstanceOf(Promise);
    const hasTime = async (): Promise<boolean> => {
      await nextTurn();
      return nextTurn() === undefined;
    };
    await expect.poll(hasTime).toBe(true); // more than once on a machine that is suspended just then
    work(20);
    expect(nextTurn()).toBeInstanceOf(Promise);
  });

  it("lets timers fire, however long it runs", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    for (let i = 0; i < 40; i++) {
      work(3);
      await nextTurn();
    }
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it("shares the time slice with other loops", () => {
    work(20);
    expect(nextTurn()).toBe(nextTurn());
  });
});
