import { describe, expect, it } from "vitest";
import { ClassicQueue } from "../../../../src/runtime/queue/classic-queue.ts";
import { PriorityQueue } from "../../../../src/runtime/queue/priority-queue.ts";
import type { WorkQueue } from "../../../../src/runtime/queue/work-queue.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";

const keyOf = (item: string): string => item;

async function takeAll(queue: WorkQueue<string>): Promise<string[]> {
  const items: string[] = [];
  while (queue.length > 0) items.push((await queue.get())!.item);
  return items;
}

describe.each([
  ["priority", PriorityQueue],
  ["classic", ClassicQueue],
] as const)("the %s queue", (_name, Queue) => {
  it("keeps one entry per request in the order of arrival", async () => {
    const queue = new Queue({ keyOf, clock: manualClock(new Date(0)) });
    for (const item of ["b", "a", "b", "a"]) queue.add(item);
    expect(await takeAll(queue)).toEqual(["b", "a"]);
  });

  it("never returns a request in progress, and returns it once more if it was added in between", async () => {
    const queue = new Queue({ keyOf, clock: manualClock(new Date(0)) });
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    queue.done("a");
    expect(await takeAll(queue)).toEqual(["a"]);
    queue.done("a");
    expect(queue.length).toBe(0);
  });

  it("returns a delayed request once, when the earlier of two delays ends", async () => {
    const clock = manualClock(new Date(0));
    const queue = new Queue({ keyOf, clock });
    queue.add("a", { afterMs: 100 });
    queue.add("b", { afterMs: 30 });
    queue.add("a", { afterMs: 50 });
    queue.add("a", { afterMs: 200 });
    await clock.advance(49);
    expect(await takeAll(queue)).toEqual(["b"]);
    await clock.advance(1);
    expect(await takeAll(queue)).toEqual(["a"]);
    queue.done("a");
    await clock.advance(1000);
    expect(queue.length).toBe(0);
  });

  it("uses the shorter of a delay and the rate limiter's, and counts failures until they are forgotten", async () => {
    const clock = manualClock(new Date(0));
    const queue = new Queue({ keyOf, clock });
    queue.add("a", { rateLimited: true, afterMs: 1000 });
    expect(queue.failures("a")).toBe(1);
    await clock.advance(5);
    expect(await takeAll(queue)).toEqual(["a"]);
    queue.done("a");
    queue.forget("a");
    expect(queue.failures("a")).toBe(0);
  });

  it("passes a new request to a waiting worker, and releases the worker at the end", async () => {
    const queue = new Queue({ keyOf, clock: manualClock(new Date(0)) });
    const [first, second] = [queue.get(), queue.get()];
    queue.add("a");
    expect((await first)?.item).toBe("a");
    queue.shutDown();
    expect(await second).toBeUndefined();
    queue.add("b");
    expect(await queue.get()).toBeUndefined();
  });
});

describe("the classic queue", () => {
  it("ignores priorities", async () => {
    const queue = new ClassicQueue({ keyOf, clock: manualClock(new Date(0)) });
    queue.add("low", { priority: -100 });
    queue.add("high", { priority: 100 });
    expect([await queue.get(), await queue.get()]).toEqual([
      { item: "low", priority: 0 },
      { item: "high", priority: 0 },
    ]);
  });

  it("returns due requests after a shutdown, and drops delayed ones", async () => {
    const clock = manualClock(new Date(0));
    const queue = new ClassicQueue({ keyOf, clock });
    queue.add("due");
    queue.add("later", { afterMs: 10 });
    queue.shutDown();
    expect((await queue.get())?.item).toBe("due");
    await clock.advance(10);
    expect(await queue.get()).toBeUndefined();
  });

  it("limits the retries of all requests to ten per second after a burst of a hundred", async () => {
    const clock = manualClock(new Date(0));
    const queue = new ClassicQueue({ keyOf, clock });
    for (let n = 0; n < 120; n++) queue.add(`item ${n}`, { rateLimited: true });
    await clock.advance(5);
    expect(queue.length).toBe(100);
    await clock.advance(1000);
    expect(queue.length).toBe(110);
    await clock.advance(1000);
    expect(queue.length).toBe(120);
  });

  it("reports everything to its observer, without a priority", async () => {
    const heard: unknown[] = [];
    const note =
      (name: string) =>
      (...values: unknown[]): void =>
        void heard.push([name, ...values]);
    const observer = { added: note("added"), depth: note("depth"), taken: note("taken"), finished: note("finished"), retried: note("retried") }; // prettier-ignore
    const clock = manualClock(new Date(0));
    const queue = new ClassicQueue({ keyOf, clock, observer });
    queue.add("a", { rateLimited: true });
    await clock.advance(1005);
    await queue.get();
    await clock.advance(2000);
    expect([...queue.workStarts]).toEqual([1005]);
    queue.done("a");
    await settle();
    expect(heard).toEqual([["retried"], ["added", undefined], ["depth", undefined, 1], ["depth", undefined, -1], ["taken", 1], ["finished", 2]]); // prettier-ignore
  });

  it("treats a repeated request as the waiting one, with its age", async () => {
    const heard: unknown[] = [];
    const observer = { added: () => heard.push("added"), depth: () => undefined, taken: (seconds: number) => heard.push(seconds), finished: () => undefined, retried: () => undefined }; // prettier-ignore
    const clock = manualClock(new Date(0));
    const queue = new ClassicQueue({ keyOf, clock, observer });
    queue.add("a");
    await clock.advance(3000);
    queue.add("a");
    await queue.get();
    expect(heard).toEqual(["added", 3]);
  });
});
