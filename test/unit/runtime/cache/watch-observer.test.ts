import { expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { Cache, type CacheOptions } from "../../../../src/runtime/cache/cache.ts";
import type { WatchObserver } from "../../../../src/runtime/cache/watch-observer.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { processMetrics } from "../../../../src/runtime/metrics/prometheus-metrics.ts";
import { informersSynced } from "../../../../src/runtime/servers/health.ts";
import { ScriptedServer, type Answer } from "../../scripted-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";
import { bookmark, event, initialEnd } from "../watch-events.ts";

const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });

const sizeOf = (...events: { object: object }[]): number =>
  events.reduce((sum, { object }) => sum + Buffer.byteLength(JSON.stringify(object)), 0);
const streaming: Answer = (exchange) => exchange.events(event("ADDED", "a", 1), event("ADDED", "b", 2), initialEnd(5));
const expired = { type: "ERROR", object: { kind: "Status", status: "Failure", reason: "Expired", code: 410 } };

/** Starts a cache of one kind; its server sends the n-th response to the n-th watch and keeps later ones open. */
async function start({ observe = () => counting().observer }: CacheOptions, ...answers: Answer[]) {
  let next = 0;
  let backsOff = false;
  const options = {
    observe(kind: string): WatchObserver {
      const observer = observe(kind) ?? counting().observer;
      return {
        ...observer,
        watching: () => {
          backsOff = false;
          observer.watching();
        },
        failed: (reason) => {
          backsOff = true;
          observer.failed(reason);
        },
      };
    },
  };
  const server = await ScriptedServer.start((exchange) => {
    if (exchange.query["watch"]) return answers[next++]?.(exchange);
    return exchange.json({ kind: "ThingList", metadata: { resourceVersion: "9" }, items: [] });
  });
  const clock = manualClock(new Date(0));
  const cache = new Cache(server.client(), discardLogger, options, clock);
  const informer = cache.informer(Thing);
  const run = (): unknown => runInTest((signal) => cache.start(signal));
  const watches = (count: number): Promise<void> =>
    until(`${count} watches`, async () => {
      if (server.exchanges.filter(({ query }) => query["watch"]).length >= count) return true;
      // No time passes during a watch: only one that ends at once is a failure.
      if (backsOff) await clock.advance(900);
      return false;
    });
  return { server, cache, informer, run, watches, synced: () => until("the state", () => informer.hasSynced) };
}

function counting() {
  const seen: string[] = [];
  let [stored, bytes] = [0, 0];
  const observer: WatchObserver = {
    listed: () => seen.push("listed"),
    watching: () => seen.push("watching"),
    relisting: (reason) => seen.push(`relisting ${reason}`),
    failed: (reason) => seen.push(`failed ${reason}`),
    received: (size) => (bytes += size),
    stored: (change) => (stored += change),
    forget: () => seen.push("forgotten"),
  };
  const kinds: string[] = [];
  const observe = (kind: string): WatchObserver => {
    kinds.push(kind);
    return observer;
  };
  return { options: { observe }, observer, kinds, seen, stored: () => stored, bytes: () => bytes };
}

it("reports the lists, watches, contents and events of a kind", async () => {
  const { options, kinds, seen, stored, bytes } = counting();
  const { server, cache, run, synced } = await start(options, streaming);
  run();
  await synced();
  expect(kinds).toEqual(["Thing.example.com"]);
  expect(seen).toEqual(["watching", "listed"]);
  expect(stored()).toBe(2);
  const events = [event("MODIFIED", "a", 6), event("DELETED", "b", 7), event("ADDED", "é", 8)];
  server.exchanges[0]!.events(...events);
  await until("the changes", () => cache.get(Thing, { namespace: "n", name: "é" }).then(() => true, () => false)); // prettier-ignore
  expect(stored()).toBe(2);
  const size = sizeOf(event("ADDED", "a", 1), event("ADDED", "b", 2), ...events);
  await until("all sizes", () => bytes() === size);
  await cache.removeInformer(Thing);
  expect(stored()).toBe(0);
  expect(seen.at(-1)).toBe("forgotten");
});

it.each<[string, Answer, string[]]>([
  ["an end", (exchange) => exchange.end(), ["failed Connection", "watching"]],
  [
    "a version that is too old",
    (exchange) => exchange.events(expired),
    ["relisting expired", "failed Expired", "watching"],
  ],
  [
    "a restored server",
    (exchange) => exchange.events(bookmark(2)),
    ["relisting restored", "failed Connection", "watching"],
  ],
  [
    "a rejection",
    (exchange) => exchange.refuse(403, "Forbidden"),
    ["relisting refused", "failed Forbidden", "watching"],
  ],
  ["a busy server", (exchange) => exchange.refuse(429, "TooManyRequests"), ["failed TooManyRequests", "watching"]],
  [
    "a kind that is no longer served",
    (exchange) => void exchange.response.writeHead(404).end("404 page not found"),
    ["relisting refused", "failed NotServed", "watching"],
  ],
])("reports why a watch continues or restarts: %s", async (_name, answer, expected) => {
  const { options, seen } = counting();
  const { run, watches } = await start(options, (exchange) => (streaming(exchange), exchange.end()), answer);
  run();
  await watches(3);
  expect(seen).toEqual(["watching", "listed", "watching", ...expected]);
});

it("is exported as metrics", async () => {
  const metrics = processMetrics();
  const { run, watches } = await start(
    { observe: (kind) => metrics.watches(kind) },
    (exchange) => (streaming(exchange), exchange.end()),
    (exchange) => exchange.events(expired),
    (exchange) => exchange.refuse(403, "Forbidden"),
  );
  run();
  await watches(4);
  const lines = (await (await metrics.registry()).metrics())
    .split("\n")
    .filter((line) => line.includes("Thing.example.com"));
  const own = 'kind="Thing.example.com"';
  for (const line of [
    `tsop_reflector_lists_total{${own}} 1`,
    `tsop_reflector_watches_total{${own}} 4`,
    `tsop_reflector_relists_total{${own},reason="expired"} 1`,
    `tsop_reflector_failures_total{${own},reason="Expired"} 1`,
    `tsop_reflector_failures_total{${own},reason="Forbidden"} 1`,
    `tsop_reflector_objects{${own}} 2`,
    `tsop_reflector_received_bytes_total{${own}} ${sizeOf(event("ADDED", "a", 1), event("ADDED", "b", 2))}`,
  ])
    expect(lines).toContain(line);
  const age = Number(lines.find((line) => line.startsWith("tsop_reflector_last_event_age_seconds"))!.split(" ")[1]);
  expect(age).toBeGreaterThan(0);
  expect(age).toBeLessThan(600);
});

it("reports caches that are not in sync in a readiness check", async () => {
  const { server, cache, run, synced } = await start({}, () => undefined);
  const check = (): unknown => informersSynced(cache)(undefined as never);
  expect(check).toThrow("the cache has not started");
  run();
  await until("the request", () => server.exchanges.length === 1);
  expect(check).toThrow("not in sync yet: Thing.example.com");
  await streaming(server.exchanges[0]!);
  await synced();
  expect(check).not.toThrow();
});
