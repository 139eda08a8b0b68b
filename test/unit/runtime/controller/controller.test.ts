import { describe, expect, it } from "vitest";
import { Controller, type ControllerOptions } from "../../../../src/runtime/controller/controller.ts";
import { discardLogger, type Logger } from "../../../../src/runtime/log/logger.ts";
import { PriorityQueue } from "../../../../src/runtime/queue/priority-queue.ts";
import {
  isTerminalError,
  TerminalError,
  type ReconcileContext,
  type Result,
} from "../../../../src/runtime/controller/reconciler.ts";
import { requestKey, type Request } from "../../../../src/runtime/controller/request.ts";
import { funcSource } from "../../../../src/runtime/controller/sources.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";
import { collectGarbage } from "../collect-garbage.ts";

interface Step {
  (request: Request, ctx: ReconcileContext): Result | void | Promise<Result | void>;
}

/** Starts a controller with one request in its queue, and records the calls of its metrics. */
async function run(step: Step, options: Partial<ControllerOptions> = {}) {
  const clock = manualClock(new Date(0));
  const queue = new PriorityQueue<Request>({ keyOf: requestKey, clock });
  const calls: { at: number; attempt: number }[] = [];
  const heard: string[] = [];
  const controller = new Controller({
    name: "test",
    queue,
    clock,
    log: discardLogger,
    logOf: () => discardLogger,
    metrics: {
      working: () => undefined,
      reconciled: (result) => heard.push(result),
      failed: (terminal) => heard.push(terminal ? "terminal" : "failed"),
      panicked: () => heard.push("panicked"),
      timedOut: () => heard.push("timed out"),
    },
    reconciler: {
      async reconcile(request, ctx) {
        calls.push({ at: clock.now(), attempt: ctx.attempt });
        return step(request, ctx);
      },
    },
    ...options,
  });
  const stop = new AbortController();
  await controller.watch(funcSource((enqueue) => enqueue({ namespace: "default", name: "a" }, 0)));
  const done = controller.start(stop.signal);
  await settle();
  return { clock, queue, calls, heard, stop, done, controller };
}

describe("the result of a reconcile", () => {
  it.each([{}, undefined, { requeueAfter: -1 }])("is a success that ends the work: %j", async (result) => {
    const { clock, calls, heard, queue } = await run(() => result);
    await clock.advance(3_600_000);
    expect(calls).toHaveLength(1);
    expect(heard).toEqual(["success"]);
    expect(queue.failures({ namespace: "default", name: "a" })).toBe(0);
  });

  it("repeats the request after each requeueAfter, and resets the failures", async () => {
    const { clock, calls, heard } = await run(() => ({ requeueAfter: 60_000 }));
    await clock.advance(120_000);
    expect(calls.map(({ at }) => at)).toEqual([0, 60_000, 120_000]);
    expect(heard).toEqual(["requeue_after", "requeue_after", "requeue_after"]);
  });

  it("needs no metrics", async () => {
    const { clock, calls, queue } = await run(() => ({ requeueAfter: 60_000 }), { metrics: undefined });
    await clock.advance(60_000);
    expect(calls.map(({ at }) => at)).toEqual([0, 60_000]);
    expect(queue.failures({ namespace: "default", name: "a" })).toBe(0);
  });

  it("repeats the request with growing delays if it has requeue", async () => {
    const { clock, calls, heard } = await run(() => ({ requeue: true }));
    await clock.advance(35);
    expect(calls.map(({ at }) => at)).toEqual([0, 5, 15, 35]);
    expect(new Set(heard)).toEqual(new Set(["requeue"]));
  });

  it.each([NaN, "5s" as never])("is an error with a requeueAfter that is not a time (%s)", async (requeueAfter) => {
    const { heard, queue } = await run(() => ({ requeueAfter }));
    expect(heard).toEqual(["error", "failed"]);
    expect(queue.failures({ namespace: "default", name: "a" })).toBe(1);
  });

  it("repeats the request with growing delays after an error, and counts the attempts", async () => {
    const { clock, calls, heard } = await run(() => {
      throw new Error("no");
    });
    await clock.advance(15);
    expect(calls).toEqual([
      { at: 0, attempt: 1 },
      { at: 5, attempt: 2 },
      { at: 15, attempt: 3 },
    ]);
    expect(heard.slice(0, 2)).toEqual(["error", "failed"]);
  });

  it.each([undefined, { requeueAfter: 60_000 }])("resets the backoff after errors: %j", async (result) => {
    let failures = 2;
    const { calls, clock, queue } = await run(() => {
      if (failures-- > 0) throw new Error("no");
      return result;
    });
    await clock.advance(1000);
    expect(calls).toHaveLength(3);
    expect(queue.failures({ namespace: "default", name: "a" })).toBe(0);
  });

  it("is not retried if it is a terminal error, but counted", async () => {
    const { clock, calls, heard } = await run(() => {
      throw new TerminalError(new Error("the size is wrong"));
    });
    await clock.advance(3_600_000);
    expect(calls).toHaveLength(1);
    expect(heard).toEqual(["error", "terminal"]);
  });

  it("is terminal if it wraps a terminal error", () => {
    const wrapped = new Error("outer", { cause: new TerminalError("inner") });
    expect(isTerminalError(wrapped)).toBe(true);
    expect(isTerminalError(new Error("plain"))).toBe(false);
    expect(isTerminalError(undefined)).toBe(false);
  });

  it.each<[string, Step, number[]]>([
    ["an error keeps the priority", () => Promise.reject(new Error("no")), [0, 7, 7, 7]],
    ["a requeueAfter keeps the priority", () => ({ requeueAfter: 5 }), [0, 7, 7, 7]],
    ["a result can set another priority", () => ({ requeueAfter: 5, priority: -3 }), [0, 7, -3, -3]],
  ])("sets the priority of the next round: %s", async (_name, step, expected) => {
    const clock = manualClock(new Date(0));
    const priorities: number[] = [];
    const observer = {
      added: (priority: number | undefined) => priorities.push(priority!),
      depth: () => undefined,
      taken: () => undefined,
      finished: () => undefined,
      retried: () => undefined,
    };
    const queue = new PriorityQueue<Request>({ keyOf: requestKey, clock, observer });
    let rounds = 0;
    // The first round is for the request of the source, with priority 0; it completes immediately.
    const { stop, done } = await run((request, ctx) => (rounds++ === 0 ? {} : step(request, ctx)), { queue, clock });
    queue.add({ namespace: "default", name: "a" }, { priority: 7 });
    await clock.advance(16);
    expect(priorities.slice(0, 4)).toEqual(expected);
    stop.abort();
    await done;
  });
});

describe("a panic", () => {
  it.each<[string, unknown]>([
    ["a TypeError", new TypeError("x is not a function")],
    ["a value that is not an Error", "a string"],
  ])("of %s is handled like any error, and is counted", async (_name, thrown) => {
    const { clock, calls, heard } = await run(() => {
      throw thrown;
    });
    await clock.advance(5);
    expect(calls).toHaveLength(2);
    expect(heard.slice(0, 3)).toEqual(["panicked", "error", "failed"]);
  });

  it("is not detected in an error of fetch after a network failure", async () => {
    const { heard } = await run(() => {
      throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
    });
    expect(heard).toEqual(["error", "failed"]);
  });

  it("stops the controller, and therefore the manager, if `recoverPanic` is false", async () => {
    const slip = new TypeError("x is not a function");
    let rounds = 0;
    const { done, heard, queue } = await run(
      () => {
        if (rounds++ > 0) throw slip;
      },
      { recoverPanic: false },
    );
    queue.add({ name: "b" });
    await expect(done).rejects.toBe(slip);
    expect(heard).toEqual(["success", "panicked"]);
  });
});

describe("a controller", () => {
  it("never reconciles one request concurrently, and repeats it if it changes during the reconcile", async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const { queue, calls } = await run(
      async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => release.push(resolve));
        running--;
      },
      { maxConcurrentReconciles: 4 },
    );
    for (let n = 0; n < 3; n++) queue.add({ namespace: "default", name: "a" });
    await settle();
    release.shift()!();
    await settle();
    release.shift()!();
    await settle();
    expect(most).toBe(1);
    expect(calls).toHaveLength(2);
  });

  it("reconciles up to its limit of requests concurrently", async () => {
    let running = 0;
    let most = 0;
    const { queue } = await run(
      async () => {
        most = Math.max(most, ++running);
        await settle();
        running--;
      },
      { maxConcurrentReconciles: 3 },
    );
    for (let n = 0; n < 10; n++) queue.add({ name: `b${n}` });
    for (let n = 0; n < 10; n++) await settle();
    expect(most).toBe(3);
  });

  it("aborts the signal of a reconcile that exceeds its time, and counts it", async () => {
    const { clock, heard } = await run(
      (_request, ctx) =>
        new Promise((_resolve, reject) =>
          ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error)),
        ),
      { reconciliationTimeout: 1000 },
    );
    expect(heard).toEqual([]);
    await clock.advance(1000);
    expect(heard.slice(0, 3)).toEqual(["timed out", "error", "failed"]);
  });

  it("keeps no signal of a reconcile that has ended in time", async () => {
    const signals: WeakRef<AbortSignal>[] = [];
    const { clock, calls } = await run(
      (_request, { signal }) => {
        signal.addEventListener("abort", () => undefined);
        signals.push(new WeakRef(signal));
        return { requeueAfter: 1000 };
      },
      { reconciliationTimeout: 500 },
    );
    await clock.advance(20_000);
    await collectGarbage();
    expect(calls).toHaveLength(21);
    // V8 may hold the last one.
    expect(signals.filter((signal) => signal.deref()).length).toBeLessThanOrEqual(1);
  });

  it("gives every reconcile a unique identifier", async () => {
    const ids = new Set<string>();
    const { clock } = await run((_request, ctx) => {
      ids.add(ctx.reconcileID);
      return { requeueAfter: 1000 };
    });
    await clock.advance(3000);
    expect(ids.size).toBe(4);
  });

  it("keeps the identifier for the whole reconcile, including its lines, and creates a logger only on demand", async () => {
    const made: unknown[] = [];
    const logOf = (): Logger => ({ ...discardLogger, withValues: (fields) => (made.push(fields), discardLogger) });
    const seen: unknown[] = [];
    await run(
      (_request, ctx) => {
        expect(made).toEqual([]);
        seen.push({ reconcileID: ctx.reconcileID }, { reconcileID: { ...ctx }.reconcileID });
        expect([ctx.log, ctx.log]).toEqual([discardLogger, discardLogger]);
      },
      { logOf },
    );
    expect(made).toEqual([seen[0]]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("completes the current reconcile when it stops, and starts no other", async () => {
    let release: () => void = () => undefined;
    const { queue, stop, done, calls } = await run(() => new Promise<void>((resolve) => (release = resolve)));
    queue.add({ name: "b" });
    stop.abort();
    let ended = false;
    void done.then(() => (ended = true));
    await settle();
    expect(ended).toBe(false);
    release();
    await done;
    expect(calls).toHaveLength(1);
  });

  it("rejects a second start", async () => {
    const { controller, stop } = await run(() => undefined);
    await expect(controller.start(stop.signal)).rejects.toMatchObject({ code: "TSOP_CONTROLLER_STARTED" });
  });

  it("fills its queue during the warm-up, and reconciles only after its start", async () => {
    const queue = new PriorityQueue<Request>({ keyOf: requestKey });
    const seen: string[] = [];
    const controller = new Controller({
      name: "test",
      queue,
      log: discardLogger,
      logOf: () => discardLogger,
      enableWarmup: true,
      reconciler: { reconcile: (request) => Promise.resolve(void seen.push(request.name)) },
    });
    let starts = 0;
    const source = funcSource((enqueue) => {
      starts++;
      enqueue({ name: "a" }, 0);
    });
    await controller.watch(source);
    const stop = new AbortController();
    await controller.warmUp!(stop.signal);
    await settle();
    expect([starts, queue.length, seen]).toEqual([1, 1, []]);
    const done = controller.start(stop.signal);
    await settle();
    expect([starts, queue.length, seen]).toEqual([1, 0, ["a"]]);
    stop.abort();
    await done;
  });

  it("fails if a source cannot start", async () => {
    const controller = new Controller({
      name: "test",
      queue: new PriorityQueue<Request>({ keyOf: requestKey }),
      log: discardLogger,
      logOf: () => discardLogger,
      reconciler: { reconcile: () => Promise.resolve() },
    });
    await controller.watch(funcSource(() => Promise.reject(new Error("no source"))));
    await expect(controller.start(new AbortController().signal)).rejects.toThrow("no source");
  });
});

describe("the sources of a controller", () => {
  it("set the priority of their requests", async () => {
    const order: string[] = [];
    const { controller } = await run(({ name }) => void order.push(name));
    await controller.watch(
      funcSource((enqueue) => {
        enqueue({ namespace: "default", name: "taken at once" }, 0);
        enqueue({ namespace: "default", name: "low" }, -100);
        enqueue({ namespace: "default", name: "high" }, 0);
      }),
    );
    await settle();
    expect(order).toEqual(["a", "taken at once", "high", "low"]);
  });

  it("leave no requests for the workers when they end with the controller", async () => {
    const lines: string[] = [];
    const log: Logger = { ...discardLogger, info: (message) => void lines.push(message) };
    const clock = manualClock(new Date(0));
    const queue = new PriorityQueue<Request>({ keyOf: requestKey, clock });
    const reconciler = { reconcile: () => Promise.resolve() };
    const controller = new Controller({ name: "test", queue, clock, log, logOf: () => log, reconciler });
    const stop = new AbortController();
    await controller.watch(funcSource(() => stop.abort()));
    await controller.start(stop.signal);
    expect(lines).toContain("Starting EventSource");
    expect(lines).not.toContain("Starting workers");
  });
});

describe("stop", () => {
  it("waits for the running reconcile, whose signal aborts, and frees what the sources needed", async () => {
    const told: string[] = [];
    let finish = (): void => undefined;
    const { controller, done, stop, queue } = await run(
      (_request, ctx) => {
        ctx.signal.addEventListener("abort", () => told.push("aborted"));
        return new Promise((resolve) => (finish = resolve));
      },
      { onStopped: () => told.push("stopped") },
    );
    await controller.watch({
      description: "test",
      start: () => Promise.resolve(),
      release: async () => void told.push("released"),
    });
    const stopped = controller.stop();
    queue.add({ namespace: "default", name: "b" });
    await settle();
    expect(told).toEqual(["aborted"]);
    finish();
    await Promise.all([stopped, controller.stop(), done]);
    expect(told).toEqual(["aborted", "released", "stopped"]);
    expect(stop.signal.aborted).toBe(false);
  });

  it("does not make a source fail that ends with the signal", async () => {
    const { controller, done } = await run(() => undefined);
    const source = funcSource((_enqueue, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    });
    const watching = controller.watch(source).catch((error: unknown) => error);
    await controller.stop();
    await done;
    expect(await watching).toMatchObject({ name: "AbortError" });
  });
});
