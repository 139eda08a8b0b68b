import { createClient } from "../../../../src/client/create-client.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { mergePatch, type Client, type KubeObject } from "../../../../src/index.ts";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import { CustomResourceDefinition, installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { eventually } from "../../../../src/testing/eventually.ts";
import type { AuditedServer, AuditEntry } from "./audited-server.ts";
import { healthBodies, logShapes, metricFamilies, metricsText } from "./endpoints.ts";
import { Memcached, memcachedCrd } from "./memcached.ts";
import { normalizeObject } from "./normalize-object.ts";
import type { Operator, OperatorSetUp } from "./operator.ts";
import { answerReviews } from "./reviews.ts";
import { patience } from "../../../patience.ts";

const namespace = "default";
const driver = "driver";
const modes = ["error", "error-and-result", "terminal", "panic", "slow", "requeue-after", "log"];

/** The externally observable behaviour of an operator at work. */
export interface Observations {
  readonly requests: Readonly<Record<string, unknown>>;
  readonly objects: Readonly<Record<string, unknown>>;
  readonly health: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly log: Readonly<Record<string, unknown>>;
  readonly reviews: Readonly<Record<string, unknown>>;
}

/** Takes an operator through its life cycle and records its behaviour. */
export async function observe(
  server: AuditedServer,
  start: (setUp: OperatorSetUp) => Promise<Operator>,
  setUp: OperatorSetUp,
): Promise<Observations> {
  const client = createClient({ transport: new HttpTransport(server.config, { userAgent: driver }) });
  await installCrds(client, [memcachedCrd]);
  const operator = await start(setUp);
  const steps: { readonly name: string; readonly end: number }[] = [];
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await work();
    steps.push({ name, end: (await server.requests()).length });
  };
  try {
    const key = { namespace, name: "normal" };
    const begin = (await server.requests()).length;
    await step("start", () => eventually(async () => hasWatched(await server.requests()), patience));
    await step("create", async () => {
      await client.create(Memcached, { metadata: key, spec: { size: 2 } });
      await waitForReport(client, 2);
      await eventually(async () => (await events(client)).length === 1, patience);
    });
    await step("scale", async () => {
      await client.patch(Memcached, key, mergePatch({ spec: { size: 3 } }));
      await waitForReport(client, 3);
    });
    await step("delete the Deployment", async () => {
      await client.delete(Deployment, key);
      await eventually(() => client.get(Deployment, key), patience);
      await eventually(async () => isReportedTwice(await events(client)), patience);
    });
    await step("fail", async () => {
      for (const mode of modes) await client.create(Memcached, { metadata: { namespace, name: mode }, spec: { mode } });
      await eventually(async () => hasEveryResult(await metricsText(operator)), patience);
      await eventually(() => modes.every((mode) => operator.log.some((line) => line.includes(`"name":"${mode}"`))), patience); // prettier-ignore
    });
    const objects = {
      memcached: normalizeObject(await client.get(Memcached, key)),
      deployment: normalizeObject(await client.get(Deployment, key)),
      event: normalizeObject((await events(client))[0]!),
      lease: normalizeObject(await client.get(Lease, { namespace, name: "differential.example.com" })),
    };
    await step("delete", async () => {
      await client.delete(Memcached, key);
      await eventually(async () => !(await client.getOrUndefined(Memcached, key)), patience);
    });
    const reviews = await answerReviews(setUp);
    const health = await healthBodies(operator);
    const metrics = metricFamilies(await metricsText(operator));
    const all = await server.requests();
    await operator.stop("gracefully");
    return {
      requests: groupByStep(all, begin, steps),
      objects,
      health,
      metrics,
      log: logShapes(operator.log),
      reviews,
    };
  } finally {
    await operator.stop("killed").catch(() => undefined);
    for (const kind of [Memcached, Deployment]) await removeAll(client, kind);
    await client.delete(CustomResourceDefinition, { name: memcachedCrd.metadata.name! });
  }
}

function hasWatched(entries: readonly AuditEntry[]): boolean {
  const watches = entries.filter(({ verb, userAgent }) => verb === "watch" && isOperator(userAgent));
  return new Set(watches.map(({ target }) => target)).size === 2;
}

/** Excludes the test and the server, which is a client of itself. */
function isOperator(userAgent: string): boolean {
  return userAgent !== driver && !userAgent.startsWith("kube-apiserver");
}

async function waitForReport(client: Client, size: number): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = await client.get(Memcached, { namespace, name: "normal" });
    const current = status?.conditions?.[0]?.observedGeneration === metadata.generation;
    return current && status?.nodes?.length === size;
  }, patience);
}

async function events(client: Client): Promise<KubeObject[]> {
  const kind = await client.kindFor("events.k8s.io/v1", "Event");
  const { items } = await client.list(kind, { namespace });
  return items.filter((event) => event["reason"] === "Created");
}

/** Matches an event reported twice, as two events or as one series. */
function isReportedTwice(found: readonly KubeObject[]): boolean {
  return found.length === 2 || found.some((event) => "series" in event && event.series !== undefined);
}

function hasEveryResult(metrics: string): boolean {
  const lines = metrics.split("\n").filter((line) => line.includes('controller="memcached"') && !line.endsWith(" 0"));
  const hasCounted = (name: string, more = ""): boolean =>
    lines.some((line) => line.startsWith(`controller_runtime_${name}{`) && line.includes(more));
  const results = ["error", "requeue_after", "success"];
  return (
    results.every((result) => hasCounted("reconcile_total", `result="${result}"`)) &&
    ["terminal_reconcile_errors", "reconcile_panics", "reconcile_timeouts"].every((name) => hasCounted(`${name}_total`))
  );
}

/** Groups the operator's requests by step. Events arrive asynchronously, and renewals of the lease depend on time. */
function groupByStep(
  all: readonly AuditEntry[],
  begin: number,
  steps: readonly { name: string; end: number }[],
): Record<string, unknown> {
  const requests: Record<string, unknown> = {};
  let from = begin;
  for (const { name, end } of steps) {
    const own = all.slice(from, end).filter(({ userAgent }) => isOperator(userAgent));
    // A write that preceded the cache is retried: only the successful ones are compared.
    const done = own.filter(({ code, target }) => code !== 409 && !target.startsWith("leases"));
    const isEvent = ({ target }: AuditEntry): boolean => target.startsWith("events");
    const described = done.filter((entry) => !isEvent(entry)).map(describe);
    // Watches start concurrently.
    requests[name] = name === "start" ? described.toSorted() : described;
    requests[`events of ${name}`] = done.filter(isEvent).map(describe);
    from = end;
  }
  return { ...requests, leases: [...new Set(all.filter(({ target, userAgent }) => target.startsWith("leases") && isOperator(userAgent)).map(describe))] }; // prettier-ignore
}

function describe({ verb, target, query, code }: AuditEntry): string {
  // The duration of a watch is random.
  const parameters = [...query].map(([key, value]) => (key === "timeoutSeconds" ? key : `${key}=${value}`)).toSorted();
  return [verb, target, ...parameters, code].join(" ");
}

async function removeAll(client: Client, kind: typeof Memcached | typeof Deployment): Promise<void> {
  const { items } = await client.list(kind as typeof Memcached, { namespace });
  for (const { metadata } of items) {
    const key = { namespace, name: metadata.name };
    await client.patch(kind as typeof Memcached, key, mergePatch({ metadata: { finalizers: null } }));
    await client.delete(kind, key);
  }
}
