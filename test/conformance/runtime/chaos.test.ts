import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  controllerManagedBy,
  createManager,
  createOrUpdate,
  exponentialRateLimiter,
  isApiError,
  isNotFound,
  setControllerReference,
  zapLogger,
  type Client,
  type Manager,
} from "../../../src/index.ts";
import { ConfigMap, Secret } from "../../../src/k8s/core/v1.ts";
import { seededRandom } from "../../../src/sandbox/seeded-random.ts";
import { eventually, TestEnvironment, type Fault } from "../../../src/testing/index.ts";
import { unreliableNetwork, type UnreliableNetwork } from "./unreliable-network.ts";

// Everything goes wrong for a while, in an order that the seed decides. Then it stops going wrong, and all must be as if
// it never had. A failure is repeated with TSOP_CHAOS_SEED=<the seed in the name of the test>.
const seed = Number(process.env["TSOP_CHAOS_SEED"] ?? 20_261);
const steps = 200;
const longestPauseMs = 50;
const namespace = "default";
const names = Array.from({ length: 12 }, (_, index) => `object-${index}`);

const faults: readonly Fault[] = [
  { verbs: ["watch"], cutAfterEvents: 1, times: 2 },
  { verbs: ["watch"], reason: "Expired", times: 1 },
  { verbs: ["watch"], reason: "InternalError", times: 2 },
  { verbs: ["list"], reason: "TooManyRequests", retryAfterSeconds: 1, times: 1 },
  { verbs: ["list"], reason: "InternalError", times: 2 },
  { verbs: ["update"], reason: "Conflict", times: 3 },
  { verbs: ["create", "update", "delete"], reason: "InternalError", times: 3 },
  { verbs: ["create", "update"], reason: "TooManyRequests", retryAfterSeconds: 1, times: 1 },
  { verbs: ["create", "update"], delayMs: 40, times: 5 },
];

const env = new TestEnvironment({ env: {} });
let network: UnreliableNetwork;

beforeAll(async () => {
  await env.start();
  network = await unreliableNetwork(Number(new URL(env.config.server).port));
});
afterAll(async () => {
  await network.close();
  await env.stop();
});

it(`a controller misses nothing in the chaos of seed ${seed}`, async () => {
  const server = `https://127.0.0.1:${network.port}`;
  const failures: string[] = [];
  const logger = zapLogger({ level: "error", write: (line) => void failures.push(line) });
  const mgr = await createManager({ ...env.config, server }, { logger });
  await keepSecrets(mgr);
  const stop = new AbortController();
  const done = mgr.start(stop.signal);
  await mgr.elected;

  await goWrong(seededRandom(seed));

  await eventually(async () => expect(await secretsOf(env.client)).toEqual(await wanted(env.client)), {
    timeout: 30_000, // the waits of a watch that failed again and again
  });
  expect(failures).not.toEqual([]); // it was felt
  stop.abort();
  await done;
  await eventually(() => expect(network.connections).toBe(0));
});

/** For each ConfigMap a Secret with its value, and none for a ConfigMap that is gone. */
async function keepSecrets(mgr: Manager): Promise<void> {
  const { client } = mgr;
  await controllerManagedBy(mgr)
    .for(ConfigMap)
    .owns(Secret)
    .withOptions({ maxConcurrentReconciles: 4, rateLimiter: exponentialRateLimiter(5, 500) })
    .complete({
      async reconcile(key) {
        const source = await client.getOrUndefined(ConfigMap, key);
        if (!source) {
          await client.delete(Secret, key).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
          return;
        }
        const value = Buffer.from(source.data?.["value"] ?? "").toString("base64");
        const { name, namespace } = source.metadata;
        await createOrUpdate(client, Secret, { metadata: { name: name!, namespace: namespace! } }, (secret) => {
          secret.data = { value };
          setControllerReference(source, secret);
        });
      },
    });
}

async function goWrong(random: () => number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const lift: (() => void)[] = [];
  const mishaps: readonly (() => void)[] = [
    ...faults.map((fault) => () => void lift.push(env.inject(fault))),
    () => network.cut(),
    () => {
      network.down = true;
      network.cut();
    },
  ];
  for (let step = 0; step < steps; step++) {
    network.down &&= random() < 0.8;
    if (random() < 0.3) pick(mishaps)();
    await tolerate(change(pick(names), random()));
    await pause(random() * longestPauseMs);
  }
  for (const each of lift) each();
  network.down = false;
}

/** What users do, to the ConfigMaps and to the Secrets that are none of their business. */
async function change(name: string, chance: number): Promise<unknown> {
  const key = { namespace, name };
  const { client } = env;
  if (chance < 0.15) return client.delete(ConfigMap, key);
  if (chance < 0.25) return client.delete(Secret, key);
  if (chance < 0.35) {
    const secret = await client.get(Secret, key);
    return client.update(Secret, { ...secret, data: { value: "c3BvaWx0" } });
  }
  const data = { value: String(chance) };
  return createOrUpdate(client, ConfigMap, { metadata: key }, (configMap) => void (configMap.data = data));
}

/** Faults hit this test's own requests, too; what counts is what the server has in the end. */
async function tolerate(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isApiError(error)) throw error;
  });
}

type Values = Readonly<Record<string, string>>;

async function wanted(client: Client): Promise<Values> {
  const { items } = await client.list(ConfigMap, { namespace });
  return valuesOf(items, (value) => value);
}

async function secretsOf(client: Client): Promise<Values> {
  const { items } = await client.list(Secret, { namespace });
  return valuesOf(items, (value) => Buffer.from(value, "base64").toString());
}

function valuesOf(items: readonly (ConfigMap | Secret)[], decode: (value: string) => string): Values {
  return Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, decode(data?.["value"] ?? "")]));
}
