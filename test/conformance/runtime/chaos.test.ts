import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  admission,
  controllerManagedBy,
  createManager,
  equalJson,
  exponentialRateLimiter,
  isApiError,
  isNotFound,
  mergePatch,
  setControllerReference,
  zapLogger,
  type Client,
  type Manager,
} from "../../../src/index.ts";
import { ConfigMap, Secret } from "../../../src/k8s/core/v1.ts";
import { ValidatingWebhookConfiguration } from "../../../src/k8s/admissionregistration/v1.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { seededRandom } from "../../../src/sandbox/seeded-random.ts";
import { makeWebhookEndpoint, type WebhookEndpoint } from "../../../src/sandbox/webhook-endpoint.ts";
import { eventually, type Fault } from "../../../src/testing/index.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { restartableServer, type RestartableServer } from "./restartable-server.ts";
import { unreliableNetwork, type UnreliableNetwork } from "./unreliable-network.ts";

// Everything goes wrong for a while, in an order that the seed decides. Then it stops going wrong, and all must be as if
// it never had. A failure is repeated with TSOP_CHAOS_SEED=<the seed in the name of the test>, a longer run is had with
// TSOP_CHAOS_STEPS.
const seed = Number(process.env["TSOP_CHAOS_SEED"] ?? 20_261);
const steps = Number(process.env["TSOP_CHAOS_STEPS"] ?? 300);
const longestPauseMs = 50;
const namespace = "default";
const names = Array.from({ length: 12 }, (_, index) => `object-${index}`);
/** Longer than any watch lasts: whoever waits in vain gives up. */
const longJumpMs = 11 * 60_000;
/** What the heap may grow by from one quarter of the time to the end. */
const flatBytes = 8 * 1024 * 1024;

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

const clock = jumpingClock(systemClock);
let folder: string;
let server: RestartableServer;
let network: UnreliableNetwork;
let endpoint: WebhookEndpoint;
/** How long the webhook takes for its next answers; the server waits for a second. */
let slowAnswersMs: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tsop-chaos-"));
  server = await restartableServer();
  network = await unreliableNetwork(server.port);
  endpoint = await makeWebhookEndpoint(folder);
});
afterAll(async () => {
  await network.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it(`a controller misses nothing in the chaos of seed ${seed}`, { timeout: 120_000 + steps * 200 }, async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  let failures = 0;
  const logger = zapLogger({ level: "error", sampling: false, write: () => void failures++ });
  const { host, port, certDir } = endpoint;
  const mgr = await createManager(
    { ...server.config, server: `https://127.0.0.1:${network.port}` },
    { logger, clock, webhook: { host, port, certDir } },
  );
  await keepSecrets(mgr);
  await judgeSecrets(mgr);
  const stop = new AbortController();
  const done = mgr.start(stop.signal);
  // The weather is fine at first: a controller that can't begin ends its manager.
  await eventually(() => expect(server.watches).toBe(2));

  const heap = await goWrong(seededRandom(seed));

  const settled = eventually(
    async () => expect(await secretsOf(server.client)).toEqual(await wanted(server.client)),
    { timeout: 30_000 }, // the waits of a watch that failed again and again
  );
  await Promise.race([settled, done.then(() => Promise.reject(new Error("the manager has ended")))]);
  // No watch has been left behind by the ones that replaced it.
  await eventually(() => expect(server.watches).toBe(2));
  expect(failures).toBeGreaterThan(0); // it was felt
  expect(heap.at(-1)! - heap[0]!).toBeLessThan(flatBytes);
  stop.abort();
  await done;
  await eventually(() => expect([network.connections, server.watches]).toEqual([0, 0]));
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

/** For each ConfigMap a Secret with its value, and none for a ConfigMap that is gone. */
async function keepSecrets(mgr: Manager): Promise<void> {
  const { client } = mgr;
  await controllerManagedBy(mgr)
    .for(ConfigMap)
    .owns(Secret)
    .withOptions({
      maxConcurrentReconciles: 4,
      rateLimiter: exponentialRateLimiter(5, 500),
      // A request on a connection that is dead would take as long as TCP has patience.
      reconciliationTimeout: 3_000,
    })
    .complete({
      async reconcile(key, { signal }) {
        const source = await client.getOrUndefined(ConfigMap, key);
        if (!source) {
          await client.delete(Secret, key, { signal }).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
          return;
        }
        const data = { value: Buffer.from(source.data?.["value"] ?? "").toString("base64") };
        const found = await client.getOrUndefined(Secret, key);
        const { name, namespace } = source.metadata;
        const secret: Secret = found ?? { metadata: { name: name!, namespace: namespace! } };
        if (found && equalJson(found.data, data)) return;
        secret.data = data;
        setControllerReference(source, secret);
        if (found) await client.update(Secret, secret, { signal });
        else await client.create(Secret, secret, { signal });
      },
    });
}

/** The manager's own webhook is asked about every Secret, and sometimes takes longer than the server waits. */
async function judgeSecrets(mgr: Manager): Promise<void> {
  mgr.webhookServer.register("/judge", async () => {
    await pause(slowAnswersMs.pop() ?? 0);
    return admission.allowed();
  });
  await server.client.create(ValidatingWebhookConfiguration, {
    metadata: { name: "judge" },
    webhooks: [
      {
        name: "judge.example.com",
        clientConfig: { url: `${endpoint.url}/judge`, caBundle: endpoint.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"], operations: ["CREATE", "UPDATE"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        timeoutSeconds: 1,
      },
    ],
  });
}

/** Returns the heap after each quarter, without what is garbage. */
async function goWrong(random: () => number): Promise<number[]> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const lift: (() => void)[] = [];
  const mishaps: readonly (() => void | Promise<void>)[] = [
    ...faults.map((fault) => () => void lift.push(server.inject(fault))),
    () => network.cut(),
    () => {
      network.down = true;
      network.cut();
    },
    () => network.freeze(),
    () => server.restart(),
    () => clock.jump(random() * longJumpMs),
    () => server.clock.jump((random() - 0.5) * longJumpMs),
    () => {
      slowAnswersMs = [1_500, 300, 20];
    },
  ];
  const heap: number[] = [];
  for (let step = 1; step <= steps; step++) {
    network.down &&= random() < 0.8;
    if (random() < 0.3) await pick(mishaps)();
    await tolerate(change(pick(names), random()));
    await pause(random() * longestPauseMs);
    if (step % Math.ceil(steps / 4) === 0) heap.push(heapInUse());
  }
  for (const each of lift) each();
  network.down = false;
  slowAnswersMs = [];
  // The server stays as it is; what hangs on dead connections ends when its time is up.
  clock.jump(longJumpMs);
  heap.push(heapInUse());
  return heap;
}

function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

/** What users do, to the ConfigMaps and to the Secrets that are none of their business. */
async function change(name: string, chance: number): Promise<unknown> {
  const key = { namespace, name };
  const { client } = server;
  if (chance < 0.15) return client.delete(ConfigMap, key);
  if (chance < 0.25) return client.delete(Secret, key);
  if (chance < 0.35) {
    const secret = await client.get(Secret, key);
    return client.update(Secret, { ...secret, data: { value: "c3BvaWx0" } });
  }
  // Another writer of the same object: whoever read it before gets a conflict.
  if (chance < 0.45)
    return client.patch(Secret, key, mergePatch({ metadata: { annotations: { at: String(chance) } } }));
  const data = { value: String(chance) };
  const found = await client.getOrUndefined(ConfigMap, key);
  return found ? client.update(ConfigMap, { ...found, data }) : client.create(ConfigMap, { metadata: key, data });
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
