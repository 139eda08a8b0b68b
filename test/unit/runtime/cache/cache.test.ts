import { describe, expect, expectTypeOf, it } from "vitest";
import { defineKind, metadataOnly, type Kind } from "../../../../src/apimachinery/kind.ts";
import { objectKey, type DeepReadonly, type KubeObject, type Named } from "../../../../src/apimachinery/meta.ts";
import { isNotFound } from "../../../../src/apimachinery/status.ts";
import { Cache, type CacheOptions } from "../../../../src/runtime/cache/cache.ts";
import { containsFinalizer } from "../../../../src/runtime/objects/finalizers.ts";
import { controllerOf } from "../../../../src/runtime/objects/owner-references.ts";
import { discardLogger, type Fields } from "../../../../src/runtime/log/logger.ts";
import { ScriptedServer, type Exchange } from "../../scripted-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";
import { initialEnd } from "../watch-events.ts";

interface Thing extends KubeObject {
  spec?: { color?: string; tags?: string[] };
}

const Thing: Kind<Thing> = defineKind<Thing>({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const Cluster = defineKind({ group: "example.com", version: "v1", kind: "Zone", plural: "zones", scope: "Cluster" });

function thing(name: string, namespace: string, color: string, labels: Record<string, string> = {}): Thing {
  return {
    metadata: {
      name,
      namespace,
      labels,
      resourceVersion: "1",
      managedFields: [{ manager: "someone" }],
    },
    spec: { color, tags: ["t"] },
  };
}

const things = [
  thing("a", "one", "red", { app: "x" }),
  thing("b", "one", "blue", { app: "y" }),
  thing("a", "two", "red", { app: "x" }),
];

/** Starts a server that streams the things of a path and keeps its watches open. */
async function start(options: CacheOptions = {}, answer: (exchange: Exchange) => void = streamThings) {
  const server = await ScriptedServer.start(answer);
  const clock = manualClock(new Date(0));
  const cache = new Cache(server.client(), discardLogger, options, clock);
  const { stop } = runInTest((signal) => cache.start(signal));
  return { cache, server, clock, stop };
}

function streamThings(exchange: Exchange): void {
  const namespace = /namespaces\/([^/]+)\//.exec(exchange.url.pathname)?.[1];
  const found = things.filter(({ metadata }) => !namespace || metadata.namespace === namespace);
  exchange.events(...found.map((object) => ({ type: "ADDED", object })), initialEnd(9));
}

function names({ items }: { items: KubeObject[] }): string[] {
  return items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted();
}

describe("the warning about large kinds", () => {
  const Secret = defineKind({ group: "", version: "v1", kind: "Secret", plural: "secrets" });
  /** Returns the kinds that a cache warns of when it has informers for these. */
  const warned = (options: CacheOptions, ...kinds: Kind[]): unknown[] => {
    const found: unknown[] = [];
    const log = { ...discardLogger, info: (_message: string, fields?: Fields) => void found.push(fields?.["kind"]) };
    const cache = new Cache(undefined as never, log, options);
    for (const kind of kinds) cache.informer(kind);
    return found;
  };

  it("names Secrets of the whole cluster, once", () => {
    expect(warned({}, Secret, Thing, Secret)).toEqual(["Secret"]);
    expect(warned({ byKind: [[Thing, { labels: { app: "x" } }]] }, Secret)).toEqual(["Secret"]);
  });

  it("is silent for metadata and for kinds that an option names or limits", () => {
    expect(warned({}, metadataOnly(Secret))).toEqual([]);
    expect(warned({ byKind: [[Secret, {}]] }, Secret)).toEqual([]);
    expect(warned({ labels: { app: "x" } }, Secret)).toEqual([]);
    expect(warned({ namespaces: ["one"] }, Secret)).toEqual([]);
    expect(warned({ transform: (object) => object }, Secret)).toEqual([]);
  });
});

describe("a cache", () => {
  it("watches a kind once, from its first read on", async () => {
    const { cache, server } = await start();
    const [a, list] = await Promise.all([cache.get(Thing, { namespace: "one", name: "a" }), cache.list(Thing)]);
    expect(a.spec?.color).toBe("red");
    expect(names(list)).toEqual(["one/a", "one/b", "two/a"]);
    expect(server.requests).toHaveLength(1);
  });

  it("returns copies with their type and without managed fields", async () => {
    const { cache } = await start();
    const key = { namespace: "one", name: "a" };
    const first = await cache.get(Thing, key);
    first.spec!.color = "changed";
    first.spec!.tags!.push("more");
    const again = await cache.get(Thing, key);
    expect(again.spec).toEqual({ color: "red", tags: ["t"] });
    expect(again).toMatchObject({ apiVersion: "example.com/v1", kind: "Thing" });
    expect(again.metadata.managedFields).toBeUndefined();
  });

  it("shares its objects only with readers that request it", async () => {
    const { cache } = await start();
    const [first, second] = [await cache.list(Thing, { readonly: true }), await cache.list(Thing, { readonly: true })];
    expect(first.items[0]).toBe(second.items[0]);
    expect((await cache.list(Thing)).items[0]).not.toBe(first.items[0]);
  });

  it("types shared objects as read-only, and copies as mutable", async () => {
    const { cache } = await start();
    const shared = await cache.list(Thing, { readonly: true });
    expectTypeOf(shared.items).toEqualTypeOf<readonly DeepReadonly<Named<Thing>>[]>();
    expectTypeOf(shared.items[0]!.spec!.tags!).toEqualTypeOf<readonly string[]>();
    expectTypeOf((await cache.list(Thing)).items).toEqualTypeOf<Named<Thing>[]>();
    // Read-only functions accept both.
    expect(shared.items.map(objectKey)).toContainEqual({ namespace: "one", name: "a" });
    expect(shared.items.some((each) => containsFinalizer(each, "f") || controllerOf(each))).toBe(false);
  });

  it("freezes shared objects and writes if enabled, and leaves copies mutable", async () => {
    const { cache } = await start({ freezeShared: true });
    cache.indexField(Thing, "spec.color", ({ spec }) => [spec?.color ?? ""]);
    const seen: Thing[] = [];
    const see = (object: Thing): void => void seen.push(object);
    await cache.informer(Thing).addHandler({ add: see, update: see, delete: see });
    const { items } = await cache.list(Thing, { readonly: true });
    cache.remember(Thing, {
      ...thing("new", "one", "red"),
      metadata: { name: "new", namespace: "one", resourceVersion: "10" },
    });
    const fresh = (await cache.list(Thing, { readonly: true })).items.find(({ metadata }) => metadata.name === "new");
    for (const each of [items[0], fresh, seen[0]] as Thing[]) {
      expect(() => (each.spec!.color = "changed")).toThrow(/read only property 'color'/);
      expect(() => each.spec!.tags!.push("more")).toThrow(/not extensible/);
    }
    const key = { namespace: "one", name: "a" };
    const copies = [await cache.get(Thing, key), ...(await cache.list(Thing)).items];
    for (const { items: found } of [
      await cache.list(Thing, { labels: "app" }),
      await cache.list(Thing, { fields: "spec.color=red" }),
    ])
      copies.push(...found);
    for (const copy of copies) copy.spec!.tags!.push("more");
    expect((await cache.get(Thing, key)).spec?.tags).toEqual(["t"]);
  });

  it("freezes nothing unless enabled", async () => {
    const { cache } = await start();
    const { items } = await cache.list(Thing, { readonly: true });
    expect(Object.isFrozen(items[0])).toBe(false);
  });

  it("stops the watch of a removed kind, and starts again with the next read", async () => {
    const { cache, server } = await start();
    await cache.list(Thing);
    expect(server.openConnections).toBe(1);
    await cache.removeInformer(Thing);
    await until("the watch has ended", () => server.openConnections === 0);
    await cache.removeInformer(Cluster); // which nobody watches
    expect((await cache.get(Thing, { namespace: "one", name: "a" })).metadata.name).toBe("a");
    expect(names(await cache.list(Thing))).toHaveLength(3);
    expect(server.requests).toHaveLength(2);
  });

  it("reports failures of a watch", async () => {
    const failures: [string, string][] = [];
    let broken = true;
    const onWatchError = (kind: Kind, error: unknown): void =>
      void failures.push([kind.kind, (error as Error).message]);
    const { cache, clock } = await start({ onWatchError }, (exchange) => {
      if (!broken) return streamThings(exchange);
      broken = false;
      exchange.refuse(403, "Forbidden");
    });
    const list = cache.list(Thing);
    await until("the failure", () => failures.length > 0);
    await until("another attempt", async () => {
      await clock.advance(2_000);
      return cache.informer(Thing).hasSynced;
    });
    expect(names(await list)).toHaveLength(3);
    expect(failures).toEqual([["Thing", "Forbidden"]]);
  });

  it("rejects namespaces for a cluster-scoped kind", async () => {
    const { cache } = await start({ byKind: [[Cluster, { namespaces: ["one"] }]] });
    await expect(cache.list(Cluster)).rejects.toThrow("the cache can't be limited to namespaces for Zone");
  });

  it.each([
    [{ syncPeriod: 1000 }, 1],
    [{ syncPeriod: 0, byKind: [[Thing, { syncPeriod: 1000 }]] }, 1],
    [{ syncPeriod: 1000, byKind: [[Thing, { syncPeriod: 0 }]] }, 0],
  ] satisfies [CacheOptions, number][])("resyncs after the configured period: %o", async (options, times) => {
    const { cache, clock } = await start(options);
    await cache.list(Thing);
    let updates = 0;
    await cache.informer(Thing).addHandler({ add: () => {}, update: () => void updates++, delete: () => {} });
    await clock.advance(1_100);
    expect(updates).toBe(times * 3);
  });

  it.each<CacheOptions>([
    { stripManagedFields: false },
    { byKind: [[Thing, { stripManagedFields: false }]] },
    { stripManagedFields: false, byKind: [[Thing, {}]] },
  ])("keeps managed fields if configured: %o", async (options) => {
    const { cache } = await start(options);
    expect((await cache.get(Thing, { namespace: "one", name: "a" })).metadata.managedFields).toHaveLength(1);
  });

  it("returns NotFound like a server", async () => {
    const { cache } = await start();
    const error: unknown = await cache.get(Thing, { namespace: "one", name: "none" }).catch((e: unknown) => e);
    expect(isNotFound(error)).toBe(true);
    expect((error as Error).message).toBe('things.example.com "none" not found');
    expect(await cache.getOrUndefined(Thing, { namespace: "one", name: "none" })).toBeUndefined();
  });

  it.each<[string, Parameters<Cache["list"]>[1], string[]]>([
    ["a namespace", { namespace: "one" }, ["one/a", "one/b"]],
    ["labels", { labels: { app: "x" } }, ["one/a", "two/a"]],
    ["a label expression", { labels: "app in (y,z)" }, ["one/b"]],
    ["labels within a namespace", { namespace: "two", labels: "app!=x" }, []],
    ["an indexed field", { fields: { "spec.color": "red" } }, ["one/a", "two/a"]],
    ["an indexed field within a namespace", { namespace: "two", fields: { "spec.color": "red" } }, ["two/a"]],
    ["two indexed fields", { fields: "spec.color=red,who=one" }, ["one/a"]],
  ])("lists by %s", async (_name, options, expected) => {
    const { cache } = await start();
    cache.indexField(Thing, "spec.color", (object) => [object.spec?.color ?? ""]);
    await cache.list(Thing);
    cache.indexField(Thing, "who", (object) => [object.metadata.namespace ?? ""]);
    expect(names(await cache.list(Thing, options))).toEqual(expected);
  });

  it("truncates a list at its limit", async () => {
    const { cache } = await start();
    const cut = await cache.list(Thing, { limit: 2 });
    expect(cut.items).toHaveLength(2);
    // A request for the next page fails, so that the caller does not take two items for all.
    await expect(cache.list(Thing, { continue: cut.metadata.continue! })).rejects.toThrow("pages");
    expect((await cache.list(Thing, { limit: 3 })).metadata).toEqual({});
  });

  it.each([
    ["a missing index", { fields: { color: "red" } }, "TSOP_INDEX_MISSING"],
    ["an operator other than =", { fields: "spec.color!=red" }, "TSOP_CACHE_FIELD_OPERATOR"],
    ["a continue token", { continue: "abc" }, "TSOP_CACHE_CONTINUE"],
  ])("rejects %s", async (_name, options, code) => {
    const { cache } = await start();
    cache.indexField(Thing, "spec.color", () => []);
    await expect(cache.list(Thing, options)).rejects.toMatchObject({ code });
  });

  it("rejects a second index of the same field", async () => {
    const { cache } = await start();
    cache.indexField(Thing, "spec.color", () => []);
    expect(() => cache.indexField(Thing, "spec.color", () => [])).toThrow(/has an index of Thing/);
  });

  it("rejects reads before the start", async () => {
    const cache = new Cache(undefined as never, discardLogger);
    await expect(cache.get(Thing, { name: "a" })).rejects.toMatchObject({ code: "TSOP_CACHE_NOT_STARTED" });
  });

  it("starts no watch on a read if that is disabled", async () => {
    const { cache, server } = await start({ failOnMissingInformer: true });
    await expect(cache.list(Thing)).rejects.toMatchObject({ code: "TSOP_KIND_NOT_CACHED" });
    expect(server.requests).toEqual([]);
    cache.informer(Thing);
    expect((await cache.list(Thing)).items).toHaveLength(3);
  });

  it("watches each of its namespaces, and cluster-scoped kinds as a whole", async () => {
    const { cache, server } = await start({ namespaces: ["one", "three"] });
    expect(names(await cache.list(Thing))).toEqual(["one/a", "one/b"]);
    await cache.list(Cluster);
    const paths = server.exchanges.map(({ url }) => url.pathname).toSorted();
    expect(paths).toEqual([
      "/apis/example.com/v1/namespaces/one/things",
      "/apis/example.com/v1/namespaces/three/things",
      "/apis/example.com/v1/zones",
    ]);
  });

  it("requests fewer objects of a kind with its own selection", async () => {
    const ofThings = { labels: { app: "x" }, fields: "metadata.name=a", namespaces: ["two"] };
    const { cache, server } = await start({
      byKind: [
        [Thing, ofThings],
        [Cluster, { fields: "metadata.name=x" }],
      ],
      labels: "all=of-them",
    });
    await cache.list(Thing);
    await cache.list(Cluster);
    const [first, second] = server.exchanges;
    expect(first!.url.pathname).toBe("/apis/example.com/v1/namespaces/two/things");
    expect(first!.query).toMatchObject({ labelSelector: "app=x", fieldSelector: "metadata.name=a" });
    expect(second!.query).toMatchObject({ labelSelector: "all=of-them", fieldSelector: "metadata.name=x" });
  });

  it("uses the URL of a namespace if fields select one, for which a Role is enough", async () => {
    const fields = { "metadata.namespace": "one", "metadata.name": "a" };
    const { cache, server } = await start({ fields, byKind: new Map([[Cluster, { fields: "metadata.name=x" }]]) });
    await cache.list(Thing);
    await cache.list(Cluster);
    expect(server.exchanges.map(({ url }) => url.pathname)).toEqual([
      "/apis/example.com/v1/namespaces/one/things",
      "/apis/example.com/v1/zones",
    ]);
    const others = await start({ fields: "metadata.namespace!=one" });
    await others.cache.list(Thing);
    expect(others.server.exchanges[0]!.url.pathname).toBe("/apis/example.com/v1/things");
  });

  it("applies another selection to one namespace than to the rest, with separate contents", async () => {
    let all: Thing[] = things;
    const { cache, server, clock } = await start(
      { labels: "l=all", namespaces: { one: { labels: { app: "x" } }, "": { fields: "metadata.name!=z" } } },
      (exchange) => {
        const inOne = exchange.url.pathname.includes("/namespaces/one/");
        const found = all.filter(({ metadata }) => (metadata.namespace === "one") === inOne);
        exchange.events(...found.map((object) => ({ type: "ADDED", object })), initialEnd(9));
      },
    );
    expect(names(await cache.list(Thing))).toEqual(["one/a", "one/b", "two/a"]);
    const asked = server.exchanges.map(({ url, query }) => [
      url.pathname,
      query["labelSelector"],
      query["fieldSelector"],
    ]);
    expect(asked.toSorted()).toEqual([
      ["/apis/example.com/v1/namespaces/one/things", "app=x", undefined],
      ["/apis/example.com/v1/things", "l=all", "metadata.name!=z,metadata.namespace!=one"],
    ]);
    // A new state of one selection removes nothing from the other.
    all = [thing("c", "three", "red")];
    const others = server.exchanges.find(({ url }) => url.pathname === "/apis/example.com/v1/things")!;
    others.events({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "old" } });
    await until("the new state", async () => {
      await clock.advance(2_000);
      return names(await cache.list(Thing)).includes("three/c");
    });
    expect(names(await cache.list(Thing))).toEqual(["one/a", "one/b", "three/c"]);
  });

  it("stores the result of a transform", async () => {
    const { cache } = await start({
      transform: (object) => ({ ...object, metadata: { ...object.metadata, labels: {} } }),
    });
    expect((await cache.list(Thing, { labels: "app" })).items).toEqual([]);
  });

  it("requests metadata only for a metadata-only kind, and keeps it separate from whole objects", async () => {
    const { cache, server } = await start();
    await cache.list(metadataOnly(Thing));
    await cache.list(Thing);
    const accepts = server.exchanges.map(({ request }) => request.headers.accept);
    expect(accepts[0]).toContain("as=PartialObjectMetadata");
    expect(accepts[1]).toBe("application/json");
  });

  it("names the kinds and the reason if the initial list does not arrive in time", async () => {
    const { cache, clock, server } = await start({ syncTimeout: 60_000 }, (exchange) => {
      exchange.response.writeHead(404).end("404 page not found\n");
    });
    const read = cache.list(Thing).catch((error: unknown) => error);
    await until("a try", () => server.requests.length > 0);
    await clock.advance(60_000);
    const error = await read;
    expect(error).toMatchObject({ code: "TSOP_CACHE_NOT_SYNCED" });
    expect((error as Error).message).toContain("Thing.example.com within 60 s: the API server does not serve Thing");
  });

  it("returns a write of this program from gets and lists until the watch reports it", async () => {
    const { cache, server } = await start();
    cache.indexField(Thing, "spec.color", (object) => [object.spec?.color ?? ""]);
    await cache.list(Thing);
    const changed = { ...thing("a", "one", "green"), metadata: { name: "a", namespace: "one", resourceVersion: "20" } };
    const created = { ...thing("c", "one", "green"), metadata: { name: "c", namespace: "one", resourceVersion: "21" } };
    cache.remember(Thing, changed);
    cache.remember(Thing, created);
    changed.spec!.color = "spoilt by its owner";
    expect((await cache.get(Thing, { namespace: "one", name: "a" })).spec?.color).toBe("green");
    expect(names(await cache.list(Thing, { fields: { "spec.color": "green" } }))).toEqual(["one/a", "one/c"]);
    expect(names(await cache.list(Thing, { fields: { "spec.color": "red" } }))).toEqual(["two/a"]);
    expect(names(await cache.list(Thing, { namespace: "one" }))).toEqual(["one/a", "one/b", "one/c"]);

    const deleted = { metadata: { name: "c", namespace: "one", resourceVersion: "22" } };
    server.exchanges[0]!.events({ type: "DELETED", object: deleted });
    await until("the deletion", async () => !(await cache.getOrUndefined(Thing, { namespace: "one", name: "c" })));
    // The watch is past both writes now, and has not reported the first: the store is right.
    expect((await cache.get(Thing, { namespace: "one", name: "a" })).spec?.color).toBe("red");
  });

  it("hides its writes if configured, and those of uncached kinds", async () => {
    const { cache } = await start({ readYourWrites: false });
    await cache.list(Thing);
    cache.remember(Thing, { metadata: { name: "new", namespace: "one", resourceVersion: "20" } });
    cache.remember(Cluster, { metadata: { name: "new", resourceVersion: "20" } });
    expect(names(await cache.list(Thing))).toEqual(["one/a", "one/b", "two/a"]);
  });

  it("ends a waiting read when the caller aborts", async () => {
    const { cache } = await start({}, () => undefined);
    const giveUp = new AbortController();
    const read = cache.list(Thing, { signal: giveUp.signal });
    giveUp.abort(new Error("enough"));
    await expect(read).rejects.toThrow("enough");
  });
});
