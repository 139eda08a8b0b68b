import { describe, expect, it } from "vitest";
import { PriorityQueue } from "../../../../src/runtime/queue/priority-queue.ts";
import type { QueueObserver } from "../../../../src/runtime/queue/work-queue.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";

function setUp(observer?: QueueObserver) {
  const clock = manualClock(new Date(0));
  const queue = new PriorityQueue<string>({ keyOf: (item) => item, clock, observer });
  return { clock, queue };
}

async function takeAll(queue: PriorityQueue<string>): Promise<string[]> {
  const items: string[] = [];
  while (queue.length > 0) items.push((await queue.get())!.item);
  return items;
}

describe("a priority queue", () => {
  it("keeps one entry per request", async () => {
    const { queue } = setUp();
    for (const item of ["a", "b", "a", "a"]) queue.add(item);
    expect(queue.length).toBe(2);
    expect(await takeAll(queue)).toEqual(["a", "b"]);
  });

  it("returns higher priorities first, and equal ones in the order of arrival", async () => {
    const { queue } = setUp();
    queue.add("low", { priority: -100 });
    queue.add("first");
    queue.add("high", { priority: 5 });
    queue.add("second");
    expect(await takeAll(queue)).toEqual(["high", "first", "second", "low"]);
  });

  it("raises the priority of an entry, to the end of its new priority, and never lowers it", async () => {
    const { queue } = setUp();
    queue.add("a", { priority: -100 });
    queue.add("b");
    queue.add("a", { priority: 0 });
    queue.add("b", { priority: -100 });
    expect(await takeAll(queue)).toEqual(["b", "a"]);
  });

  it("raises an entry above the entries before it, due or not", async () => {
    const { queue, clock } = setUp();
    for (const [n, item] of ["a", "b", "c", "d"].entries()) queue.add(item, { priority: -n });
    queue.add("d", { priority: 10 });
    expect(await takeAll(queue)).toEqual(["d", "a", "b", "c"]);
    queue.add("late", { afterMs: 10 });
    queue.add("late", { afterMs: 20, priority: 1 });
    queue.add("ready", { priority: 1 });
    await clock.advance(10);
    expect(await takeAll(queue)).toEqual(["ready", "late"]);
  });

  it("holds a request back while it is in progress, and returns it again after done", async () => {
    const { queue } = setUp();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    queue.done("a");
    expect(queue.length).toBe(1);
    expect((await queue.get())?.item).toBe("a");
    queue.done("a");
    expect(queue.length).toBe(0);
  });

  it("waits for a delay, and the earlier of two delays wins", async () => {
    const { queue, clock } = setUp();
    queue.add("a", { afterMs: 1000 });
    queue.add("a", { afterMs: 100 });
    queue.add("a", { afterMs: 500 });
    await clock.advance(99);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(await takeAll(queue)).toEqual(["a"]);
    await clock.advance(2000);
    expect(queue.length).toBe(0);
  });

  it("makes a waiting request due immediately if it is added without a delay", async () => {
    const { queue, clock } = setUp();
    queue.add("a", { afterMs: 1000 });
    queue.add("a");
    expect(await takeAll(queue)).toEqual(["a"]);
    expect(clock.pending).toBeLessThanOrEqual(1);
  });

  it("keeps a ready request ready if it is added with a delay", () => {
    const { queue } = setUp();
    queue.add("a");
    queue.add("a", { afterMs: 1000 });
    expect(queue.length).toBe(1);
  });

  it("puts a request behind the ready ones when its delay ends", async () => {
    const { queue, clock } = setUp();
    queue.add("late", { afterMs: 10 });
    queue.add("ready");
    await clock.advance(10);
    expect(await takeAll(queue)).toEqual(["ready", "late"]);
  });

  it("handles many delays in order with one timer", async () => {
    const { queue, clock } = setUp();
    for (const ms of [50, 10, 40, 20, 30]) queue.add(`after ${ms}`, { afterMs: ms });
    expect(clock.pending).toBe(1);
    await clock.advance(60);
    expect(await takeAll(queue)).toEqual(["after 10", "after 20", "after 30", "after 40", "after 50"]);
  });

  it("backs off 5, 10, 20 ms for a rate-limited request, and forgets", async () => {
    const { queue, clock } = setUp();
    for (const wait of [5, 10, 20]) {
      queue.add("a", { rateLimited: true });
      await clock.advance(wait - 1);
      expect(queue.length).toBe(0);
      await clock.advance(1);
      expect(await takeAll(queue)).toEqual(["a"]);
      queue.done("a");
    }
    expect(queue.failures("a")).toBe(3);
    queue.forget("a");
    expect(queue.failures("a")).toBe(0);
    queue.add("a", { rateLimited: true });
    await clock.advance(5);
    expect(queue.length).toBe(1);
  });

  it("uses the shorter of a delay and the rate limit", async () => {
    const { queue, clock } = setUp();
    queue.add("a", { rateLimited: true, afterMs: 1000 });
    await clock.advance(5);
    expect(queue.length).toBe(1);
  });

  it("passes a request to the longest waiting worker", async () => {
    const { queue } = setUp();
    const takers = [queue.get(), queue.get()];
    queue.add("a");
    queue.add("b");
    expect((await Promise.all(takers)).map((taken) => taken?.item)).toEqual(["a", "b"]);
  });

  it("returns the priority of a request", async () => {
    const { queue } = setUp();
    queue.add("a", { priority: 7 });
    expect(await queue.get()).toEqual({ item: "a", priority: 7 });
  });

  it("ends all waits at shutdown, drops the remaining requests and accepts no more", async () => {
    const { queue, clock } = setUp();
    const waiting = queue.get();
    queue.add("delayed", { afterMs: 10 });
    queue.shutDown();
    expect(await waiting).toBeUndefined();
    const other = setUp().queue;
    other.add("due");
    other.shutDown();
    expect(await other.get()).toBeUndefined();
    queue.add("late");
    expect(await queue.get()).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it("reports its metrics: adds when due, depth by priority, time waited and worked, retries", async () => {
    const seen: string[] = [];
    const { queue, clock } = setUp({
      added: (priority) => seen.push(`added ${priority}`),
      depth: (priority, change) => seen.push(`depth ${priority} ${change}`),
      taken: (seconds) => seen.push(`taken after ${seconds}`),
      finished: (seconds) => seen.push(`finished after ${seconds}`),
      retried: () => seen.push("retried"),
    });
    queue.add("a", { afterMs: 100 });
    await clock.advance(100);
    await clock.advance(2000);
    await queue.get();
    expect([...queue.workStarts]).toEqual([2100]);
    await clock.advance(500);
    queue.done("a");
    expect(seen).toEqual(["retried", "added 0", "depth 0 1", "depth 0 -1", "taken after 2", "finished after 0.5"]);
    expect([...queue.workStarts]).toEqual([]);
  });

  it("keeps its order over thousands of random operations", async () => {
    const { queue, clock } = setUp();
    let state = 42;
    const random = (below: number): number => (state = (state * 1103515245 + 12345) % 2 ** 31) % below;
    const wanted = new Map<string, number>();
    for (let n = 0; n < 5000; n++) {
      const item = `item-${random(300)}`;
      const priority = random(5);
      wanted.set(item, Math.max(priority, wanted.get(item) ?? 0));
      queue.add(item, { priority, afterMs: random(2) * random(50) });
    }
    await clock.advance(50);
    await settle();
    const taken: number[] = [];
    const seen = new Set<string>();
    while (queue.length > 0) {
      const { item, priority } = (await queue.get())!;
      expect(priority).toBe(wanted.get(item));
      seen.add(item);
      taken.push(priority);
    }
    expect(seen.size).toBe(wanted.size);
    expect(taken).toEqual(taken.toSorted((a, b) => b - a));
  });
});
