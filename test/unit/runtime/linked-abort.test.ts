import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { linkAbort } from "../../../src/runtime/linked-abort.ts";
import { collectGarbage } from "./collect-garbage.ts";

const listeners = ({ signal }: AbortController): number => getEventListeners(signal, "abort").length;

describe("an AbortController that is linked to others", () => {
  it.each([0, 1])("aborts with the reason of parent %i, and leaves the other one", (index) => {
    const parents = [new AbortController(), new AbortController()];
    const { signal } = linkAbort(...parents.map((parent) => parent.signal));
    parents[index]!.abort("the reason");
    expect([signal.aborted, signal.reason]).toEqual([true, "the reason"]);
    expect(parents.map(listeners)).toEqual([0, 0]);
  });

  it("is aborted from the start if a parent is", () => {
    const other = new AbortController();
    const { signal } = linkAbort(other.signal, AbortSignal.abort("before"));
    expect(signal.reason).toBe("before");
    expect(listeners(other)).toBe(0);
  });

  it("aborts by itself, without its parent", () => {
    const parent = new AbortController();
    const linked = linkAbort(parent.signal);
    linked.abort("enough");
    expect([linked.signal.reason, parent.signal.aborted, listeners(parent)]).toEqual(["enough", false, 0]);
  });

  it("does not follow a parent after its release", () => {
    const parent = new AbortController();
    const { signal, release } = linkAbort(parent.signal);
    release();
    parent.abort();
    expect(signal.aborted).toBe(false);
  });

  it("takes no memory after its release, though its signal has listeners and its parent lives", async () => {
    const parent = new AbortController();
    const signals = Array.from({ length: 20 }, () => {
      const { signal, release } = linkAbort(parent.signal);
      signal.addEventListener("abort", () => undefined);
      release();
      return new WeakRef(signal);
    });
    await collectGarbage();
    expect(signals.filter((signal) => signal.deref())).toEqual([]);
  });

  it("causes no warning about listeners, however many have the same parent or listen to it", async () => {
    const warn = vi.spyOn(process, "emitWarning");
    const parent = new AbortController();
    const { signal } = linkAbort(parent.signal);
    for (let count = 0; count < 50; count++) linkAbort(parent.signal);
    for (let count = 0; count < 50; count++) signal.addEventListener("abort", () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
