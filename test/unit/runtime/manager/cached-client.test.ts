import { describe, expect, it } from "vitest";
import { defineKind, type Kind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import type { Client, DeleteOptions, WriteOptions } from "../../../../src/client/client.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import { Cache, type CacheOptions } from "../../../../src/runtime/cache/cache.ts";
import { cachedClient, type CachedClientOptions } from "../../../../src/runtime/manager/cached-client.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { ScriptedServer } from "../../scripted-server.ts";
import { runInTest } from "../run.ts";
import { initialEnd } from "../watch-events.ts";

interface Thing extends KubeObject {
  spec?: { size: number };
}

const Thing: Kind<Thing> = defineKind<Thing>({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const key = { namespace: "n", name: "a" };
const stored: Thing = { metadata: { ...key, uid: "u1", resourceVersion: "5" }, spec: { size: 1 } };
const written: Thing = { metadata: { ...key, resourceVersion: "8" }, spec: { size: 8 } };

/** Starts a server whose watch never reports writes, and a client with a cache in front of it. */
async function start(options: CachedClientOptions = {}, deleted: object = written, cacheOptions: CacheOptions = {}) {
  const server = await ScriptedServer.start((exchange) => {
    if (exchange.query["watch"]) exchange.events({ type: "ADDED", object: stored }, initialEnd(5));
    else if (exchange.request.method === "DELETE") exchange.json(deleted);
    else if (exchange.request.method !== "GET") exchange.json(written);
    else exchange.json(exchange.url.pathname.endsWith("/a") ? stored : { metadata: {}, items: [stored] });
  });
  const live = server.client();
  const cache = new Cache(live, discardLogger, cacheOptions);
  runInTest((signal) => cache.start(signal));
  const client = cachedClient(live, cache, options);
  await cache.list(Thing);
  const watches = server.requests.length;
  return { client, asked: () => server.requests.slice(watches) };
}

type Write = (client: Client, options: WriteOptions) => Promise<unknown>;

const writes: [string, Write][] = [
  ["create", (c, options) => c.create(Thing, stored, options)],
  ["update", (c, options) => c.update(Thing, stored, options)],
  ["patch", (c, options) => c.patch(Thing, key, mergePatch({}), options)],
  ["apply", (c, options) => c.apply(Thing, { metadata: key }, { fieldOwner: "me", ...options })],
  ["status.update", (c, options) => c.status.update(Thing, stored, options)],
  ["status.patch", (c, options) => c.status.patch(Thing, key, mergePatch({}), options)],
  ["status.apply", (c, options) => c.status.apply(Thing, { metadata: key }, { fieldOwner: "me", ...options })],
  ["subResource('status').patch", (c, options) => c.subResource("status").patch(Thing, key, mergePatch({}), options)],
];

describe("a client with a cache", () => {
  it("reads from the cache", async () => {
    const { client, asked } = await start();
    expect((await client.get(Thing, key)).spec?.size).toBe(1);
    expect(await client.getOrUndefined(Thing, { namespace: "n", name: "none" })).toBeUndefined();
    expect((await client.list(Thing)).items).toHaveLength(1);
    expect(asked()).toEqual([]);
  });

  it("reads a given version, and uncached kinds, from the server", async () => {
    const { client, asked } = await start();
    await client.get(Thing, key, { resourceVersion: "0" });
    await client.list(Thing, { resourceVersion: "7", resourceVersionMatch: "NotOlderThan" });
    const path = "/apis/example.com/v1";
    expect(asked()).toEqual([
      `GET ${path}/namespaces/n/things/a?resourceVersion=0`,
      `GET ${path}/things?resourceVersion=7&resourceVersionMatch=NotOlderThan`,
    ]);
    const uncached = await start({ disableFor: [{ ...Thing, version: "v2" }] });
    await uncached.client.get(Thing, key);
    await uncached.client.list(Thing, { namespace: "n" });
    expect(uncached.asked()).toEqual([`GET ${path}/namespaces/n/things/a`, `GET ${path}/namespaces/n/things`]);
  });

  it.each(writes)("returns a write of %s immediately, unless it is a dry run", async (_name, write) => {
    const { client } = await start();
    await write(client, { dryRun: true });
    expect((await client.get(Thing, key)).spec?.size).toBe(1);
    await write(client, {});
    expect((await client.get(Thing, key)).spec?.size).toBe(8);
  });

  it.each(writes)("ignores %s in a dry-run client, unless a call overrides it", async (_name, write) => {
    const { client } = await start({ dryRun: true });
    await write(client, {});
    expect((await client.get(Thing, key)).spec?.size).toBe(1);
    await write(client, { dryRun: false });
    expect((await client.get(Thing, key)).spec?.size).toBe(8);
  });

  it("does not store the response of another subresource as the object", async () => {
    const { client } = await start();
    await client.subResource("scale").patch(Thing, key, mergePatch({}));
    expect((await client.get(Thing, key)).spec?.size).toBe(1);
  });

  const success = { kind: "Status", apiVersion: "v1", status: "Success", details: { uid: "u1" } };
  const ending = { deletionTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "8" };

  /** Returns the result of a read after a deletion: the version of the object, or `undefined`. */
  async function afterDeletion(answer: object, options: DeleteOptions = {}, more: CachedClientOptions = {}) {
    const { client } = await start(more, answer);
    await client.delete(Thing, key, options);
    const read = (await client.getOrUndefined(Thing, key))?.metadata.resourceVersion;
    const lists = [await client.list(Thing), await client.list(Thing, { readonly: true })];
    expect(lists.map(({ items }) => items.map(({ metadata }) => metadata.resourceVersion))).toEqual(
      lists.map(() => (read === undefined ? [] : [read])),
    );
    return read;
  }

  it.each<[string, object, DeleteOptions, string | undefined]>([
    ["deleted, as the server reports", success, {}, undefined],
    ["deleted, from its last state", stored, {}, undefined],
    ["deleted without a grace period", { metadata: { ...stored.metadata, ...ending } }, {}, undefined],
    [
      "terminating, with finalizers",
      { metadata: { ...stored.metadata, ...ending, finalizers: ["example.com/x"] } },
      {},
      "8",
    ],
    [
      "terminating, with a grace period",
      { metadata: { ...stored.metadata, ...ending, deletionGracePeriodSeconds: 30 } },
      {},
      "8",
    ],
    ["unchanged, if the response names another uid", { ...success, details: { uid: "u2" } }, {}, "5"],
    ["unchanged, if the response names no uid", { ...success, details: {} }, {}, "5"],
    ["unchanged, after a dry run", success, { dryRun: true }, "5"],
  ])("reads an object after its deletion as %s", async (_name, answer, options, version) => {
    expect(await afterDeletion(answer, options)).toBe(version);
  });

  it("ignores a deletion in a dry-run client", async () => {
    expect(await afterDeletion(success, {}, { dryRun: true })).toBe("5");
  });

  it("hides a deleted object despite an earlier write, and returns a recreated one", async () => {
    const { client } = await start({}, { ...success, details: { uid: "u8" } });
    written.metadata.uid = "u8";
    await client.update(Thing, stored);
    await client.delete(Thing, key);
    expect((await client.get(Thing, key)).metadata.resourceVersion).toBe("5");
    written.metadata.uid = "u9";
    await client.create(Thing, stored);
    expect((await client.get(Thing, key)).metadata.resourceVersion).toBe("8");
  });

  it("returns only the state of its watch if configured", async () => {
    const { client } = await start({}, success, { readYourWrites: false });
    await client.update(Thing, stored);
    await client.delete(Thing, key);
    expect((await client.get(Thing, key)).metadata.resourceVersion).toBe("5");
  });
});
