import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Owner, Scheduler } from "../../../src/simulation/realm/scheduler.ts";

const epoch = Date.parse("2026-01-01T00:00:00Z");
const rethrow = (error: unknown): never => {
  throw error;
};

/** Runs `main` in virtual time; `wait` is a promise for a later time. */
function simulate<T>(
  main: (scheduler: Scheduler, wait: (ms: number) => Promise<void>, owner: Owner) => Promise<T>,
): Promise<T> {
  const scheduler = new Scheduler();
  const owner = new Owner("cluster", 1, rethrow);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void scheduler.after(ms, resolve));
  return scheduler.run(owner, epoch, () => main(scheduler, wait, owner));
}

describe("virtual time", () => {
  it("jumps to the next task, and runs tasks by time and then by order", async () => {
    const seen = await simulate(async (scheduler, wait) => {
      const log: string[] = [];
      for (const [name, ms] of [
        ["late", 3_600_000],
        ["early", 5],
        ["second", 5],
      ] as const)
        scheduler.after(ms, () => log.push(`${name} ${scheduler.elapsed}`));
      scheduler.immediately(() => log.push(`now ${scheduler.elapsed}`));
      await wait(3_600_001);
      return [...log, new Date(scheduler.date()).toISOString()];
    });
    expect(seen).toEqual(["now 0", "early 5", "second 5", "late 3600000", "2026-01-01T01:00:00.001Z"]);
  });

  it("settles all promises of a task before the next one", async () => {
    const seen = await simulate(async (scheduler, wait) => {
      const log: string[] = [];
      scheduler.immediately(() => {
        void (async () => {
          for (let step = 0; step < 50; step++) await Promise.resolve();
          log.push("first");
        })();
      });
      scheduler.immediately(() => log.push("second"));
      await wait(1);
      return log;
    });
    expect(seen).toEqual(["first", "second"]);
  });

  it("does not run cancelled tasks, nor wait for them", async () => {
    const elapsed = await simulate(async (scheduler, wait) => {
      scheduler.cancel(scheduler.after(10, () => rethrow(new Error("cancelled"))));
      await wait(20);
      return scheduler.elapsed;
    });
    expect(elapsed).toBe(20);
  });

  it("waits for tasks that are to run before it passes, after all that is due", async () => {
    const seen = await simulate(async (scheduler, wait) => {
      const log: string[] = [];
      scheduler.beforeTimePasses(() => log.push(`at rest ${scheduler.elapsed}`));
      scheduler.after(1, () => log.push(`later ${scheduler.elapsed}`));
      scheduler.immediately(() => scheduler.immediately(() => log.push(`now ${scheduler.elapsed}`)));
      await wait(2);
      return log;
    });
    expect(seen).toEqual(["now 0", "at rest 0", "later 1"]);
  });

  it("stands still as long as it may not pass", async () => {
    const scheduler = new Scheduler();
    let looks = 0;
    const waited = (): boolean => ++looks > 100;
    const main = (): Promise<void> => new Promise((resolve) => void scheduler.after(1_000, resolve));
    await scheduler.run(new Owner("cluster", 1, rethrow), epoch, main, waited);
    expect(looks).toBe(101);
    expect(scheduler.elapsed).toBe(1_000);
  });

  it("moves on for a loop that only reads it, and for one that only takes turns", async () => {
    await simulate(async (scheduler) => {
      const end = scheduler.now() + 1;
      while (scheduler.now() < end);
      const limit = scheduler.now() + 1;
      while (scheduler.now() < limit) await new Promise<void>((resolve) => void scheduler.immediately(resolve));
    });
  });

  it("ends with an error if nothing is left to do", async () => {
    await expect(simulate(() => new Promise(() => {}))).rejects.toThrow("nothing left to do");
  });

  it("starts each run with the same time of day", async () => {
    const scheduler = new Scheduler();
    const dates = [];
    for (let run = 0; run < 2; run++) {
      const owner = new Owner("cluster", 1, rethrow);
      await scheduler.run(owner, epoch, () => new Promise<void>((resolve) => void scheduler.after(90_000, resolve)));
      dates.push(scheduler.date());
    }
    expect(dates).toEqual([epoch + 90_000, epoch + 90_000]);
  });
});

describe("an owner", () => {
  it("that is dead runs no task", async () => {
    const log = await simulate(async (scheduler, wait) => {
      const operator = new Owner("operator", 1, rethrow);
      const seen: number[] = [];
      for (const ms of [1, 2, 3]) scheduler.after(ms, () => seen.push(ms), operator);
      await wait(2.5);
      operator.state = "dead";
      await wait(10);
      return seen;
    });
    expect(log).toEqual([1, 2]);
  });

  it("that was frozen runs what came due when it is thawed: timers before what arrived", async () => {
    const log = await simulate(async (scheduler, wait) => {
      const operator = new Owner("operator", 1, rethrow);
      const seen: string[] = [];
      operator.state = "frozen";
      scheduler.after(1, () => seen.push(`response ${scheduler.elapsed}`), operator).isArrival = true;
      scheduler.after(2, () => seen.push(`timer ${scheduler.elapsed}`), operator);
      await wait(60_000);
      scheduler.thaw(operator);
      await wait(1);
      return seen;
    });
    expect(log).toEqual(["timer 60000", "response 60000"]);
  });

  it("gets the errors of its tasks", async () => {
    const errors: unknown[] = [];
    await simulate(async (scheduler, wait) => {
      const operator = new Owner("operator", 1, (error) => errors.push(error));
      scheduler.after(1, () => rethrow(new Error("broken")), operator);
      await wait(2);
    });
    expect(errors).toEqual([new Error("broken")]);
  });

  it("is told when nothing keeps it alive", async () => {
    const idleAt = await simulate(async (scheduler, wait) => {
      const operator = new Owner("operator", 1, rethrow);
      let at: number | undefined;
      operator.onIdle = () => {
        at ??= scheduler.elapsed;
        operator.state = "dead";
      };
      scheduler.after(5, () => {}, operator);
      scheduler.keepAlive(
        scheduler.after(50, () => {}, operator),
        false,
      );
      await wait(100);
      return at;
    });
    expect(idleAt).toBe(5);
  });

  it("has random numbers of its own, which follow from the seed", () => {
    const numbers = (seed: number): number[] => Array.from({ length: 3 }, new Owner("operator", seed, rethrow).random);
    expect(numbers(1)).toEqual(numbers(1));
    expect(numbers(1)).not.toEqual(numbers(2));
  });
});

it("waits for work of the system before time jumps", async () => {
  const { readFile } = await import("node:fs/promises");
  const elapsed = await simulate(async (scheduler, wait) => {
    let hasRead = false;
    const reading = readFile(import.meta.filename, "utf8").then(() => (hasRead = true));
    await wait(1_000_000);
    expect(hasRead).toBe(true);
    await reading;
    return scheduler.elapsed;
  });
  expect(elapsed).toBe(1_000_000);
  await turn();
});
