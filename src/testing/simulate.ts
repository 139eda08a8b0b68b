import { mergeCrdPatches, readCrds } from "../client/manifests/read-crds.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { closeNetwork } from "../simulation/open-network.ts";
import { Scheduler } from "../simulation/realm/scheduler.ts";
import { virtualizeGlobals } from "../simulation/realm/virtual-globals.ts";
import type { Simulated, SimulateOptions } from "./simulated.ts";
import { SimulatedWorld } from "./simulated-world.ts";

/** The limit of real time: vitest gives up a test after 5 seconds by default. */
const defaultLimitMs = 4_000;
const lookEveryMs = 20;
const defaultStart = new Date("2026-01-01T00:00:00Z");

/**
 * Runs an operator and a cluster in virtual time, in this thread: no port, no process, no waiting. Calls `test` when the
 * operator works, and returns its result. Meanwhile `Date`, timers and random numbers are those of the simulation: an hour
 * passes with `sim.advance(3_600_000)`, at once. Throws the first error of the test, or of the operator.
 *
 * @example
 * import { ConfigMap } from "tsop/k8s/core/v1";
 * const setup = async (mgr: Manager): Promise<void> => {
 *   await controllerManagedBy(mgr).for(Memcached).owns(ConfigMap).complete(reconciler);
 * };
 * await simulate({ crdPaths: ["config/crd/bases"], setup }, async (sim) => {
 *   await sim.client.create(Memcached, memcached);
 *   await sim.advance(86_400_000); // a day
 *   await sim.client.get(ConfigMap, { namespace: "default", name: "memcached-sample" });
 * });
 */
export async function simulate<T>(options: SimulateOptions, test: (sim: Simulated) => Promise<T> | T): Promise<T> {
  const { crdPaths = [], crds = [], seed = 1, start = defaultStart, limitMs = defaultLimitMs, signal } = options;
  const installed = mergeCrdPatches([...(await Promise.all(crdPaths.map(readCrds))).flat(), ...crds]);
  // A simulation does not wait for files.
  if (options.simulate) await import("../sandbox/simulation/start-simulation.ts");
  // One that a test has left at its timeout. Nothing is awaited between this and the next one.
  for (let other = thread[key]; other; other = thread[key]) await other.end();
  signal?.throwIfAborted();
  const scheduler = new Scheduler();
  // Taken before the time is replaced, it goes on.
  const { hrtime } = process;
  const realNow = (): number => Number(hrtime.bigint()) / 1e6;
  const world = new SimulatedWorld({ ...options, crds: installed, seed, scheduler, realNow });
  const stopWatching = watchLimit(limitMs, realNow, () => {
    const facts = { seconds: limitMs / 1000, state: world.describe() };
    world.fail(new TsopError("TSOP_SIMULATION_LIMIT", facts));
  });
  const aborted = (): void => world.fail(signal?.reason);
  signal?.addEventListener("abort", aborted, { once: true });
  const restore = virtualizeGlobals(scheduler, realmOf(test));
  const ended = announce((error) => world.fail(error));
  try {
    return await world.run(start, test);
  } finally {
    restore();
    closeNetwork();
    ended();
    stopWatching();
    signal?.removeEventListener("abort", aborted);
  }
}

/** Returns the globals that a function sees: test runners may run tests in a realm of their own. */
function realmOf(code: object): typeof globalThis {
  let root = Object.getPrototypeOf(code) as object;
  // The constructor of asynchronous functions inherits from `Function`.
  while (root.constructor.name !== "Function") root = Object.getPrototypeOf(root) as object;
  const compile = root.constructor as FunctionConstructor;
  return compile("return globalThis")() as typeof globalThis;
}

const key = Symbol.for("tsop.simulation");
/** The simulation of this thread. */
const thread: { [key]?: { end(): Promise<void> } } = process as object;

/** Makes this the simulation of the thread until the returned function is called. */
function announce(fail: (error: unknown) => void): () => void {
  let resolve!: () => void;
  const ended = new Promise<void>((resolveEnded) => (resolve = resolveEnded));
  const end = (): Promise<void> => {
    fail(new TsopError("TSOP_SIMULATION_REPLACED", {}));
    return ended;
  };
  thread[key] = { end };
  return () => {
    delete thread[key];
    resolve();
  };
}

/**
 * Calls a function once a time has passed in which this process has also computed as long: on a busy machine, a test takes
 * longer than on an idle one. It is called before the timers are replaced, and follows real time.
 */
function watchLimit(limitMs: number, realNow: () => number, exceeded: () => void): () => void {
  const [began, before] = [realNow(), process.cpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (Math.min(realNow() - began, (user + system) / 1000) >= limitMs) exceeded();
  }, lookEveryMs);
  return () => clearInterval(timer);
}
