import { afterEach, expect, it } from "vitest";
import { createClient } from "../../../../../src/client/create-client.ts";
import { PacedQueue, runController } from "../../../../../src/sandbox/simulation/context/run-controller.ts";
import { ContainerLogs } from "../../../../../src/sandbox/simulation/context/container-logs.ts";
import { Store } from "../../../../../src/apiserver/storage/store.ts";
import { feedOf } from "../../../../../src/sandbox/simulation/context/object-feed.ts";
import { createSimulationContext } from "../../../../../src/sandbox/simulation/context/simulation-context.ts";
import { manualClock } from "../../../../../src/testing/manual-clock.ts";
import { failure, ApiError } from "../../../../../src/apimachinery/status.ts";

let end: () => Promise<void>;
afterEach(() => end());

function run(step: (key: string) => Promise<number | void>) {
  const clock = manualClock();
  const stop = new AbortController();
  const errors: unknown[] = [];
  const context = createSimulationContext({
    objects: feedOf(new Store()),
    clientFor: () => createClient({ transport: { request: () => Promise.reject(new Error("none")), close() {} } }),
    kubernetesVersion: "1.37.2",
    clock,
    random: () => 0,
    pace: { min: 1000, max: 1000 },
    caData: "",
    logs: new ContainerLogs(),
    signal: stop.signal,
    onError: (error) => errors.push(error),
  });
  const queue = new PacedQueue<string>(context);
  const done = runController(context, { queue, step });
  end = async () => {
    stop.abort();
    await done;
  };
  return { clock, queue, errors };
}

it("reconciles an object that changed several times once, after a tenth of the pace", async () => {
  const rounds: string[] = [];
  const { clock, queue } = run(async (key) => void rounds.push(key));
  queue.add("a");
  await clock.advance(60);
  queue.add("a");
  queue.add("b");
  await clock.advance(39);
  expect(rounds).toEqual([]);
  await clock.advance(1);
  expect(rounds).toEqual(["a"]);
  await clock.advance(60);
  expect(rounds).toEqual(["a", "b"]);
});

it("reconciles again after the time that a step returns", async () => {
  let rounds = 0;
  const { clock, queue } = run(async () => (++rounds === 1 ? 50 : undefined));
  queue.add("a");
  await clock.advance(100);
  await clock.advance(49);
  expect(rounds).toBe(1);
  await clock.advance(1000);
  expect(rounds).toBe(2);
});

it("repeats a failed step with growing delays, and reports its error", async () => {
  let rounds = 0;
  const { clock, queue, errors } = run(async () => {
    if (++rounds < 3) throw new Error(`round ${rounds}`);
  });
  queue.add("a");
  await clock.advance(100);
  await clock.advance(39);
  expect(rounds).toBe(1);
  await clock.advance(1);
  expect(rounds).toBe(2);
  await clock.advance(80);
  expect(rounds).toBe(3);
  expect(errors.map(String)).toEqual(["Error: round 1", "Error: round 2"]);
});

it("does not report a conflict, which the next round resolves", async () => {
  let rounds = 0;
  const { clock, queue, errors } = run(async () => {
    if (++rounds === 1) throw new ApiError(failure("Conflict", "the object has been modified"));
  });
  queue.add("a");
  await clock.advance(200);
  expect(rounds).toBe(2);
  expect(errors).toEqual([]);
});
