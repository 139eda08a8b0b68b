import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createManager, isApiError, mergePatch, zapLogger, type Client } from "../../../../src/index.ts";
import { ConfigMap, Secret } from "../../../../src/k8s/core/v1.ts";
import { monotonicClock } from "../../../../src/runtime/monotonic-clock.ts";
import { seededRandom } from "../../../../src/sandbox/seeded-random.ts";
import { makeWebhookEndpoint } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { eventually, type Fault } from "../../../../src/testing/index.ts";
import type { ChaosServer } from "./chaos-server.ts";
import { patience } from "../../../patience.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { judgeSecrets, keepSecrets } from "./secrets-operator.ts";
import { unreliableNetwork } from "./unreliable-network.ts";

/** An operator under injected faults, in an order that the seed decides. */
export interface Chaos {
  readonly counts: Counts;
  /** Injects faults while users change objects the given number of times. */
  goWrong(steps: number): Promise<void>;
  /** Stops the faults; rejects unless the state is as if none had occurred. */
  settle(): Promise<void>;
  /** Stops the operator; rejects if it leaves anything behind. */
  stop(): Promise<void>;
}

interface Counts {
  changes: number;
  mishaps: number;
  /** Number of faults of each kind: faults of the server as requested, all others as they occurred. */
  kinds: Record<string, number>;
  restarts: number;
  reconciles: number;
  /** Lines that the operator logged as errors. */
  failures: number;
  /** Watches open on the server at the end of each calm, beyond the two of the operator. */
  leaks: number;
}

export interface ChaosOptions {
  readonly seed: number;
  /** Probability of a fault before a change. */
  readonly mishapChance?: number;
  /** The longest pause between two changes. */
  readonly pauseMs?: number;
  /** Number of changes after which the server restarts. */
  readonly restartEvery: number;
}

const namespace = "default";
const names = Array.from({ length: 12 }, (_, index) => `object-${index}`);
/** Longer than any watch lasts: a wait beyond this has failed. */
const longJumpMs = 11 * 60_000;

const faults: Readonly<Record<string, Fault>> = {
  "a watch ends early": { verbs: ["watch"], cutAfterEvents: 1, times: 2 },
  "410 to a watch": { verbs: ["watch"], reason: "Expired", times: 1 },
  "500 to a watch": { verbs: ["watch"], reason: "InternalError", times: 2 },
  "429 to a list": { verbs: ["list"], reason: "TooManyRequests", retryAfterSeconds: 1, times: 1 },
  "500 to a list": { verbs: ["list"], reason: "InternalError", times: 2 },
  "429 to a watch": { verbs: ["watch"], reason: "TooManyRequests", retryAfterSeconds: 1, times: 1 },
  "409 to a write": { verbs: ["update"], reason: "Conflict", times: 3 },
  "500 to a write": { verbs: ["create", "update", "delete"], reason: "InternalError", times: 3 },
  "429 to a write": { verbs: ["create", "update"], reason: "TooManyRequests", retryAfterSeconds: 1, times: 1 },
  "late answers": { verbs: ["create", "update"], delayMs: 40, times: 5 },
};

/** Every kind of fault that must have occurred for the run to prove anything. */
export const kindsOfMishaps: readonly string[] = [
  ...Object.keys(faults),
  "a connection that is cut",
  "a network that is down",
  "a connection that is half open",
  "a clock that jumps",
  "a webhook that is too late",
  "a server that begins again",
];

/** Starts the operator without faults: a controller that cannot start stops its manager. */
export async function beginChaos(server: ChaosServer, options: ChaosOptions): Promise<Chaos> {
  const { seed, mishapChance = 0.3, pauseMs = 50, restartEvery } = options;
  const random = seededRandom(seed);
  const clock = jumpingClock(monotonicClock);
  const network = await unreliableNetwork(server.port);
  const folder = await mkdtemp(join(tmpdir(), "tsop-chaos-"));
  const endpoint = await makeWebhookEndpoint(folder);
  const counts: Counts = { changes: 0, mishaps: 0, restarts: 0, reconciles: 0, failures: 0, leaks: 0, kinds: {} };
  const count = (kind: string, times = 1): void => void (counts.kinds[kind] = (counts.kinds[kind] ?? 0) + times);
  const { host, port, certDir } = endpoint;
  const mgr = await createManager(
    { ...server.config, server: `https://127.0.0.1:${network.port}` },
    {
      logger: zapLogger({ level: "error", sampling: false, write: () => void counts.failures++ }),
      clock,
      webhook: { host, port, certDir },
      controller: { skipNameValidation: true },
    },
  );
  /** Delay of the webhook's next responses; the server waits for one second. */
  let slowAnswersMs: number[] = [];
  await keepSecrets(mgr, () => void counts.reconciles++);
  await judgeSecrets(mgr, server.client, endpoint, () => {
    const ms = slowAnswersMs.pop() ?? 0;
    if (ms > 1_000) count("a webhook that is too late");
    return ms;
  });
  const end = new AbortController();
  const done = mgr.start(end.signal);
  const early = done.then(() => Promise.reject(new Error("the manager has ended")));
  early.catch(() => undefined);
  const hasTwoWatches = () => server.watches === 2;
  await Promise.race([eventually(hasTwoWatches, patience), early]);

  const lift: (() => void)[] = [];
  const mishaps: readonly (() => void | Promise<void>)[] = [
    ...Object.entries(faults).map(([kind, fault]) => () => {
      count(kind);
      lift.push(server.inject(fault));
    }),
    () => count("a connection that is cut", network.cut()),
    () => {
      network.down = true;
      count("a network that is down");
      network.cut();
    },
    () => count("a connection that is half open", network.freeze()),
    () => {
      count("a clock that jumps");
      clock.jump(random() * longJumpMs);
    },
    () => server.jump?.((random() - 0.5) * longJumpMs),
    () => {
      slowAnswersMs = [20, 300, 1_500];
    },
  ];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  let deck: (() => void | Promise<void>)[] = [];
  /** Returns each value once before it repeats any. */
  const deal = async (): Promise<void> => {
    if (deck.length === 0) deck = [...mishaps];
    const [next] = deck.splice(Math.floor(random() * deck.length), 1);
    await next!();
  };
  return {
    counts,
    async goWrong(steps) {
      for (let step = 1; step <= steps; step++) {
        network.down &&= random() < 0.8;
        if (random() < mishapChance) {
          counts.mishaps++;
          await deal();
        }
        await tolerate(change(server.client, pick(names), random()));
        if (++counts.changes % restartEvery === 0) {
          counts.restarts++;
          count("a server that begins again");
          await server.restart();
        }
        await pause(random() * pauseMs);
      }
    },
    async settle() {
      for (const each of lift.splice(0)) each();
      network.down = false;
      slowAnswersMs = [];
      // The server keeps its state. Watches last by real time: one that is half open would end within minutes
      // (test/unit/runtime/cache/reflector.test.ts).
      network.cut();
      clock.jump(longJumpMs);
      // Allows for the delays of a watch that failed repeatedly.
      await Promise.race([eventually(() => expectNothingMissed(server.client), patience), early]);
      // No replaced watch is left open.
      await eventually(hasTwoWatches, patience).catch(() => (counts.leaks += server.watches - 2));
    },
    async stop() {
      end.abort();
      await done;
      await eventually(() => network.connections === 0 && server.watches === 0, patience);
      await network.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Applies the changes of users to ConfigMaps, and to Secrets that the users do not own. */
async function change(client: Client, name: string, chance: number): Promise<unknown> {
  const key = { namespace, name };
  if (chance < 0.15) return client.delete(ConfigMap, key);
  if (chance < 0.25) return client.delete(Secret, key);
  if (chance < 0.35) {
    const secret = await client.get(Secret, key);
    return client.update(Secret, { ...secret, data: { value: "c3BvaWx0" } });
  }
  // Another writer of the same object: a writer with an older version gets a conflict.
  if (chance < 0.45)
    return client.patch(Secret, key, mergePatch({ metadata: { annotations: { at: String(chance) } } }));
  const data = { value: String(chance) };
  const found = await client.getOrUndefined(ConfigMap, key);
  return found ? client.update(ConfigMap, { ...found, data }) : client.create(ConfigMap, { metadata: key, data });
}

/** Ignores errors: faults affect this test's own requests too, and only the server's final state counts. */
async function tolerate(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isApiError(error)) throw error;
  });
}

async function expectNothingMissed(client: Client): Promise<void> {
  const [sources, copies] = [await client.list(ConfigMap, { namespace }), await client.list(Secret, { namespace })];
  const wanted = valuesOf(sources.items, (value) => value);
  const found = valuesOf(copies.items, (value) => Buffer.from(value, "base64").toString());
  if (!isDeepStrictEqual(found, wanted)) {
    throw new Error(`a final state was missed: ${JSON.stringify({ wanted, found })}`);
  }
}

function valuesOf(items: readonly (ConfigMap | Secret)[], decode: (value: string) => string): object {
  return Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, decode(data?.["value"] ?? "")]));
}
