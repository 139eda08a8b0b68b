import { expect, it } from "vitest";
import { isRelease } from "../../../is-release.ts";
import { beginChaos, kindsOfMishaps } from "./chaos.ts";
import { embeddedServer } from "./embedded-server.ts";
import { heapInUse } from "./heap-in-use.ts";
import { realServer } from "./real-server.ts";

// Injects faults for a while, in an order that the seed decides. Once the faults stop, the state must be as if none had
// occurred. TSOP_CHAOS_SEED=<the seed in the name of the test> repeats a failure, TSOP_CHAOS_STEPS makes a run longer,
// and `npm run soak` runs much longer.
const seed = Number(process.env["TSOP_CHAOS_SEED"] ?? 20_261);
const moreSteps = process.env["TSOP_CHAOS_STEPS"];
const assets = process.env["KUBEBUILDER_ASSETS"];
/** Maximum growth of the heap from the first quarter of the time to the end. */
const flatBytes = 8 * 1024 * 1024;

const targets = [
  { name: "the embedded server", start: embeddedServer, steps: 300, restartEvery: 60 },
  // A real server takes seconds to restart.
  ...(assets && (isRelease || moreSteps)
    ? [{ name: "a real kube-apiserver", start: () => realServer(assets), steps: 160, restartEvery: 75 }]
    : []),
];

it.each(targets)(
  `a controller misses no state in the chaos of seed ${seed} on $name`,
  { timeout: 300_000 },
  async ({ start, steps, restartEvery }) => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    const server = await start();
    try {
      const chaos = await beginChaos(server, { seed, restartEvery });
      const heap: number[] = [];
      for (let quarter = 1; quarter <= 4; quarter++) {
        await chaos.goWrong(Math.ceil(Number(moreSteps ?? steps) / 4));
        heap.push(heapInUse());
      }
      const missingMishaps = (): string[] => kindsOfMishaps.filter((kind) => !chaos.counts.kinds[kind]);
      // A fault that affects only active connections and writers comes later on a machine that leaves them little time.
      for (let more = 0; more < 30 && missingMishaps().length > 0; more++) await chaos.goWrong(10);
      await chaos.settle();
      heap.push(heapInUse());
      await chaos.stop();
      expect(chaos.counts).toMatchObject({ leaks: 0 });
      expect(chaos.counts.failures).toBeGreaterThan(0); // the fault took effect
      expect(missingMishaps()).toEqual([]);
      expect(heap.at(-1)! - heap[0]!).toBeLessThan(flatBytes);
    } finally {
      await server.stop();
      process.off("unhandledRejection", onUnhandled);
    }
    expect(unhandled).toEqual([]);
  },
);
