import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Latch } from "../../../src/runtime/latch.ts";
import { collectGarbage } from "./collect-garbage.ts";

describe("a latch", () => {
  it("releases all waiters when it opens, and later ones at once", async () => {
    const latch = new Latch();
    const waits = [latch.wait(undefined), latch.wait(new AbortController().signal)];
    latch.open();
    expect(await Promise.all([...waits, latch.wait(undefined)])).toEqual([true, true, true]);
    latch.close();
    expect(latch.isOpen).toBe(false);
  });

  it("ends the wait of a signal that aborts", async () => {
    const latch = new Latch();
    const stop = new AbortController();
    const wait = latch.wait(stop.signal);
    stop.abort();
    expect(await wait).toBe(false);
    expect(await latch.wait(stop.signal)).toBe(false);
  });

  it("keeps no reference to former waiters", async () => {
    const latch = new Latch();
    const waits = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const stop = new AbortController();
        const wait = latch.wait(stop.signal).then(() => stop);
        stop.abort();
        expect(getEventListeners((await wait).signal, "abort")).toEqual([]);
        return new WeakRef(stop);
      }),
    );
    await collectGarbage();
    expect(waits.filter((stop) => stop.deref()).length).toBeLessThanOrEqual(1);
  });
});
