import { describe, expect, expectTypeOf, it } from "vitest";
import { defineKind, metadataOnly } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject, Named } from "../../../../src/apimachinery/meta.ts";
import { CustomResourceDefinition } from "../../../../src/k8s/apiextensions/v1.ts";
import { ConfigMap, Secret } from "../../../../src/k8s/core/v1.ts";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { asReconciler } from "../../../../src/runtime/controller/reconciler.ts";
import { controllerManagedBy, type ControllerBuilder } from "../../../../src/runtime/builders/builder.ts";
import { enqueueForObject, enqueueFromMap, type EventHandler } from "../../../../src/runtime/controller/handlers.ts";
import { zapLogger } from "../../../../src/runtime/log/zap-logger.ts";
import type { MetricsFilter } from "../../../../src/runtime/servers/metrics-server.ts";
import { PriorityQueue } from "../../../../src/runtime/queue/priority-queue.ts";
import { requestKey, type Request } from "../../../../src/runtime/controller/request.ts";
import { channelSource, EventChannel } from "../../../../src/runtime/controller/sources.ts";
import { openCrd } from "../../../../src/testing/open-crd.ts";
import { typedControllerManagedBy } from "../../../../src/runtime/builders/typed-controller-builder.ts";
import { managedServer } from "../managed-server.ts";
import { until } from "../until.ts";

const namespace = "default";
const { env, manager, start } = managedServer();

function collect(requests: Request[]) {
  return { reconcile: (request: Request) => Promise.resolve(void requests.push(request)) };
}

/** The ConfigMaps of a new server. */
const usual = ["extension-apiserver-authentication", "kube-root-ca.crt"];

function names(requests: Request[]): string[] {
  return [...new Set(requests.map(({ name }) => name))].filter((name) => !usual.includes(name)).toSorted();
}

describe("a built controller", () => {
  it.each<[string, (builder: ControllerBuilder, handler: EventHandler) => ControllerBuilder]>([
    ["with a method", (builder, handler) => builder.watchesMetadata(Secret, handler)],
    ["with an option", (builder, handler) => builder.watches(Secret, handler, { metadataOnly: true })],
    ["with the kind", (builder, handler) => builder.watches(metadataOnly(Secret), handler)],
  ])("watches the metadata of a kind %s, and a channel with earlier events", async (_way, watch) => {
    const { mgr } = await manager();
    const requests: Request[] = [];
    const seen: KubeObject[] = [];
    const channel = new EventChannel<ConfigMap>();
    channel.send({ object: { metadata: { namespace, name: "from-channel" } } });
    const handler: EventHandler = {
      create: ({ object }, enqueue) => {
        seen.push(object);
        enqueue({ namespace, name: `for-${object.metadata.name}` }, 0);
      },
    };
    await watch(controllerManagedBy(mgr).for(ConfigMap), handler)
      .watchesRawSource(channelSource(channel, enqueueForObject()))
      .complete(collect(requests));
    await env.client.create(Secret, { metadata: { namespace, name: "s" }, stringData: { password: "x" } });
    start(mgr);
    await until("all", () => names(requests).join() === "for-s,from-channel");
    expect(seen[0]).toMatchObject({ kind: "Secret", metadata: { name: "s" } });
    expect(seen[0]).not.toHaveProperty("data");
  });

  it("logs with its log constructor", async () => {
    const { mgr, lines } = await manager();
    const requests: Request[] = [];
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .named("logs")
      .withLogConstructor((request) => mgr.logger.withValues(request ? { about: request.name } : { mine: true }))
      .complete({
        reconcile: (request, ctx) => {
          ctx.log.info("hello");
          requests.push(request);
          return Promise.resolve();
        },
      });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "a" } });
    start(mgr);
    await until("a round", () => names(requests).includes("a"));
    expect(lines.find(({ msg }) => msg === "Starting Controller")).toMatchObject({ mine: true });
    const hello = lines.find(({ msg, about }) => msg === "hello" && about === "a");
    expect(hello).toMatchObject({ reconcileID: expect.any(String) as string });
    expect(hello).not.toHaveProperty("controller");
  });

  it("logs with the logger of all controllers", async () => {
    const lines: string[] = [];
    const { mgr } = await manager({ controller: { logger: zapLogger({ write: (line) => lines.push(line) }) } });
    await controllerManagedBy(mgr).for(ConfigMap).named("other-logger").complete(collect([]));
    start(mgr);
    await until("a line", () => lines.some((line) => line.includes('"Starting Controller"')));
    expect(lines.every((line) => line.includes('"controller":"other-logger"'))).toBe(true);
  });

  it("works without an optional kind, and watches it once its CRD is installed", async () => {
    const Late = defineKind({ group: "late.example.com", version: "v1", kind: "Late", plural: "lates" });
    const lines: string[] = [];
    const { mgr } = await manager({ logger: zapLogger({ write: (line) => lines.push(line) }) });
    const requests: Request[] = [];
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .watches(Late, enqueueForObject(), { optional: true })
      .named("late")
      .complete(collect(requests));
    await env.client.create(ConfigMap, { metadata: { namespace, name: "a" } });
    start(mgr);
    await until("a round for the existing object", () => names(requests).includes("a"));
    await until("a line", () =>
      lines.some((line) => line.includes("Waiting until the server serves an optional kind")),
    );
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await env.client.create(CustomResourceDefinition, openCrd(Late) as KubeObject as CustomResourceDefinition);
    await until("the CRD", () => env.client.list(Late).then(() => true, () => false)); // prettier-ignore
    await env.client.create(Late, { metadata: { namespace, name: "late" } });
    await until("a round for the new object", () => names(requests).includes("late"));
  });

  it("rejects a change of a shared object immediately", async () => {
    const { mgr } = await manager();
    const failures: unknown[] = [];
    await controllerManagedBy(mgr)
      .for(ConfigMap, { predicates: [{ create: ({ object }) => attempt(() => (object.data = {})) }] })
      .named("careless")
      .complete({
        async reconcile() {
          const { items } = await mgr.client.list(ConfigMap, { readonly: true });
          attempt(() => ((items[0]!.metadata as { name: string }).name = "mine"));
        },
      });
    const attempt = (change: () => unknown): boolean => {
      try {
        change();
      } catch (error) {
        failures.push(error);
      }
      return true;
    };
    await env.client.create(ConfigMap, { metadata: { namespace, name: "a" } });
    start(mgr);
    await until("both", () => failures.length >= 2);
    expect(failures.every((error) => error instanceof TypeError)).toBe(true);
  });

  it("has requests of any type, which are equal if their contents are", async () => {
    interface Region {
      readonly zone: string;
      readonly cluster: string;
    }
    const { mgr, lines } = await manager({ metrics: { bindAddress: "0" } });
    const rounds: Region[] = [];
    const begun = new EventChannel<ConfigMap>();
    await typedControllerManagedBy<Region>(mgr)
      .named("regions")
      .watches(ConfigMap, {
        create({ object }, enqueue) {
          const zone = object.metadata.labels?.["zone"];
          if (zone) enqueue({ zone, cluster: "a" }, 0);
        },
      })
      .watchesSource(
        channelSource(
          begun,
          enqueueFromMap((): Region[] => [
            { cluster: "a", zone: "1" },
            { zone: "1", cluster: "a" },
            { cluster: "b", zone: "1" },
          ]),
        ),
      )
      .complete({
        reconcile: (region, ctx) => {
          ctx.log.info("a round");
          rounds.push(region);
          return Promise.resolve();
        },
      });
    begun.send({ object: { metadata: { name: "x" } } });
    for (const name of ["one", "two"]) {
      await env.client.create(ConfigMap, { metadata: { namespace, name, labels: { zone: "1" } } });
    }
    start(mgr);
    await until("both", () => rounds.length >= 2);
    // All arrive before the workers start: one reconcile for each of the two.
    expect(rounds.map(({ cluster }) => cluster).toSorted()).toEqual(["a", "b"]);
    expect(lines.find(({ msg, request }) => msg === "a round" && (request as Region).cluster === "b")).toMatchObject({
      controller: "regions",
      request: { cluster: "b", zone: "1" },
    });
  });

  it("uses a custom queue", async () => {
    const { mgr } = await manager();
    const asked: string[] = [];
    const requests: Request[] = [];
    const newQueue = (name: string) => {
      asked.push(name);
      return new PriorityQueue<Request>({ keyOf: requestKey });
    };
    await controllerManagedBy(mgr).for(ConfigMap).withOptions({ newQueue }).complete(collect(requests));
    await env.client.create(ConfigMap, { metadata: { namespace, name: "a" } });
    start(mgr);
    await until("a round", () => names(requests).includes("a"));
    expect(asked).toEqual(["configmap"]);
  });

  it("takes its concurrency from its own options, else from those for its kind, else from the manager", async () => {
    const groupKindConcurrency = { ConfigMap: 3, "Deployment.apps": 4 };
    const metrics = { bindAddress: "127.0.0.1:0" };
    const { mgr } = await manager({ controller: { groupKindConcurrency, maxConcurrentReconciles: 2 }, metrics });
    const own = controllerManagedBy(mgr).for(ConfigMap).named("own").withOptions({ maxConcurrentReconciles: 5 });
    await own.complete(collect([]));
    await controllerManagedBy(mgr).for(Deployment).named("kind").complete(collect([]));
    await controllerManagedBy(mgr).for(Secret).named("default").complete(collect([]));
    const text = await (await mgr.metrics!.registry()).metrics();
    for (const [name, count] of [["own", 5], ["kind", 4], ["default", 2]] as const) {
      expect(text).toContain(`controller_runtime_max_concurrent_reconciles{controller="${name}"} ${count}`);
    } // prettier-ignore
  });

  it.each([0, -1, NaN, 1.5])("refuses a concurrency of %s", async (maxConcurrentReconciles) => {
    const { mgr } = await manager();
    const builder = controllerManagedBy(mgr).for(ConfigMap).withOptions({ maxConcurrentReconciles });
    await expect(async () => builder.complete(collect([]))).rejects.toMatchObject({ code: "TSOP_CONCURRENCY_INVALID" });
  });

  it("enqueues every owner of its kind if `matchEveryOwner` is set", async () => {
    const { mgr } = await manager();
    const [every, controlled]: Request[][] = [[], []];
    const options = { matchEveryOwner: true };
    await controllerManagedBy(mgr).for(ConfigMap).named("every").owns(Secret, options).complete(collect(every!));
    await controllerManagedBy(mgr).for(ConfigMap).named("controlled").owns(Secret).complete(collect(controlled!));
    const owner = (name: string, controller: boolean) => ({ apiVersion: "v1", kind: "ConfigMap", name, uid: `u-${name}`, controller }); // prettier-ignore
    const ownerReferences = [owner("plain", false), owner("controller", true)];
    await env.client.create(Secret, { metadata: { namespace, name: "owned", ownerReferences } });
    start(mgr);
    await until("the rounds", () => names(every!).length === 2 && names(controlled!).length === 1);
    expect(names(every!)).toEqual(["controller", "plain"]);
    expect(names(controlled!)).toEqual(["controller"]);
  });

  it("can share the name of another if name validation is skipped", async () => {
    const { mgr } = await manager();
    await controllerManagedBy(mgr).for(ConfigMap).complete(collect([]));
    const second = controllerManagedBy(mgr).for(ConfigMap).withOptions({ skipNameValidation: true });
    await expect(second.complete(collect([]))).resolves.toBeDefined();
  });

  it("stops the manager on a panic if `recoverPanic` is false", async () => {
    const { mgr } = await manager({ controller: { recoverPanic: false } });
    const slip = new TypeError("not a function");
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .complete({ reconcile: () => Promise.reject(slip) });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "a" } });
    expect(await start(mgr).done).toBe(slip);
  });

  it("passes the object to an object reconciler, and skips deleted ones", async () => {
    const { mgr } = await manager();
    const seen: (string | undefined)[] = [];
    const channel = new EventChannel<ConfigMap>();
    channel.send({ object: { metadata: { namespace, name: "gone" } } });
    channel.send({ object: { metadata: { namespace, name: "here" } } });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "here" }, data: { a: "b" } });
    const reconciler = asReconciler(mgr.client, ConfigMap, {
      reconcile: (configMap) => {
        expectTypeOf(configMap).toEqualTypeOf<Named<ConfigMap>>();
        return Promise.resolve(void seen.push(configMap.data?.["a"]));
      },
    });
    await controllerManagedBy(mgr)
      .named("objects")
      .watchesSource(channelSource(channel, enqueueForObject()))
      .complete(reconciler);
    start(mgr);
    await until("the round of the existing object", () => seen.length > 0);
    expect(seen).toEqual(["b"]);
  });
});

describe("a manager", () => {
  it("reads uncached kinds from the server, even before it starts", async () => {
    const { mgr } = await manager({ client: { cache: { disableFor: [Secret] } } });
    const key = { namespace, name: "live" };
    await env.client.create(Secret, { metadata: key });
    expect((await mgr.client.get(Secret, key)).metadata.name).toBe("live");
    await expect(mgr.client.get(ConfigMap, key)).rejects.toMatchObject({ code: "TSOP_CACHE_NOT_STARTED" });
    expect(await mgr.apiReader.getOrUndefined(ConfigMap, key)).toBeUndefined();
  });

  it("serves custom paths next to its metrics, each once, and measures its requests if enabled", async () => {
    const answer = (text: string) => (_request: unknown, response: { end(text: string): void }) => response.end(text);
    const extraHandlers = { "/given": answer("given") };
    const { mgr, lines } = await manager({ metrics: { bindAddress: "127.0.0.1:0", restClient: true, extraHandlers } });
    mgr.addMetricsServerExtraHandler("/added", answer("added"));
    for (const path of ["/metrics", "/given", "/added"]) {
      expect(() => mgr.addMetricsServerExtraHandler(path, answer(""))).toThrow(`already serves ${path}`);
    }
    await controllerManagedBy(mgr).for(ConfigMap).named("extra").complete(collect([]));
    start(mgr);
    await mgr.elected;
    const { bindAddress } = lines.find(({ msg }) => msg === "Serving metrics server") as { bindAddress: string };
    const get = async (path: string): Promise<string> => (await fetch(`http://${bindAddress}${path}`)).text();
    expect([await get("/given"), await get("/added")]).toEqual(["given", "added"]);
    const metrics = await get("/metrics");
    for (const name of ["request_duration_seconds", "request_size_bytes"]) {
      expect(metrics).toMatch(new RegExp(`rest_client_${name}_count\\{verb="GET",host="[^"]+"\\} [1-9]`));
    }
    expect(metrics).toContain("# TYPE rest_client_rate_limiter_duration_seconds histogram");
    expect(metrics).toContain("# TYPE rest_client_response_size_bytes histogram");
    expect(metrics).toContain("# TYPE rest_client_request_retries_total counter");
    expect(metrics).toContain("# TYPE rest_client_dns_resolution_duration_seconds histogram");
    expect(metrics).toContain("tsop_event_loop_stalls_total 0");
  });

  it("asks a custom filter for access to metrics", async () => {
    const filter: MetricsFilter = ({ headers }) =>
      headers["x-key"] === "k" ? undefined : { code: 403, text: "no key" };
    const { mgr, lines } = await manager({ metrics: { bindAddress: "127.0.0.1:0", filter } });
    mgr.addMetricsServerExtraHandler("/added", (_request, response) => response.end("added"));
    start(mgr);
    await mgr.elected;
    const { bindAddress } = lines.find(({ msg }) => msg === "Serving metrics server") as { bindAddress: string };
    for (const path of ["/metrics", "/added"]) {
      const url = `http://${bindAddress}${path}`;
      const refused = await fetch(url);
      expect([refused.status, await refused.text()]).toEqual([403, "no key\n"]);
      expect((await fetch(url, { headers: { "x-key": "k" } })).status).toBe(200);
    }
  });
});
