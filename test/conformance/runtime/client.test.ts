import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  defineKind,
  isConflict,
  isKindNotServed,
  jsonPatch,
  mergeFrom,
  metadataOnly,
  type Client,
  type Kind,
  type KubeObject,
} from "../../../src/index.ts";
import { targets } from "./targets.ts";

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

const ConfigMap: Kind<ConfigMap> = defineKind<ConfigMap>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
});
const Foo = defineKind({ group: "nobody.example.com", version: "v1", kind: "Foo", plural: "foos" });
const AppsFoo = defineKind({ group: "apps", version: "v1", kind: "Foo", plural: "foos" });
const namespace = "default";
const labels = { suite: "client" };

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { metadata: { namespace, name, labels }, data };
}

describe.each(targets)("the client on $name", ({ make }) => {
  const env = make();
  let client: Client;

  beforeAll(async () => {
    await env.start();
    client = env.client;
  });
  afterAll(() => env.stop());
  afterEach(() => client.deleteAllOf(ConfigMap, { namespace, labels }));

  it("creates, reads, updates, patches, applies and deletes", async () => {
    const created = await client.create(ConfigMap, configMap("a", { x: "1" }));
    expect(created).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { x: "1" } });
    const key = { namespace, name: "a" };
    const updated = await client.update(ConfigMap, { ...created, data: { x: "2" } });
    expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    const merged = await client.patch(ConfigMap, key, mergeFrom(updated, { ...updated, data: { y: "3" } }));
    expect(merged.data).toEqual({ y: "3" });
    const patched = await client.patch(ConfigMap, key, jsonPatch([{ op: "add", path: "/data/z", value: "4" }]));
    expect(patched.data).toEqual({ y: "3", z: "4" });
    const applied = await client.apply(ConfigMap, { metadata: key, data: { own: "5" } }, { fieldOwner: "suite" });
    expect(applied.data).toEqual({ y: "3", z: "4", own: "5" });
    expect(await client.get(ConfigMap, key)).toEqual(applied);
    await client.delete(ConfigMap, key);
    expect(await client.getOrUndefined(ConfigMap, key)).toBeUndefined();
  });

  it("finds the kinds of types that are known by name only", async () => {
    expect(await client.kindFor("v1", "ConfigMap")).toEqual(ConfigMap);
    const deployment = await client.kindFor("apps/v1", "Deployment");
    expect(deployment).toMatchObject({ plural: "deployments", scope: "Namespaced" });
    expect(deployment.subresources.toSorted()).toEqual(["scale", "status"]);
    expect(await client.kindFor("v1", "Node")).toMatchObject({ plural: "nodes", scope: "Cluster" });
    await expect(client.kindFor("apps/v1", "Foo")).rejects.toSatisfy(isKindNotServed);
    await expect(client.kindFor("nobody.example.com/v1", "Foo")).rejects.toSatisfy(isKindNotServed);
  });

  it("changes nothing in a dry run", async () => {
    await client.create(ConfigMap, configMap("dry"), { dryRun: true });
    expect(await client.getOrUndefined(ConfigMap, { namespace, name: "dry" })).toBeUndefined();
  });

  it("refuses an update of an old version, and a merge patch with a lock on one", async () => {
    const old = await client.create(ConfigMap, configMap("a"));
    await client.update(ConfigMap, { ...old, data: { x: "1" } });
    const update = await client.update(ConfigMap, { ...old, data: { x: "2" } }).catch((error: unknown) => error);
    expect(isConflict(update)).toBe(true);
    const patch = mergeFrom(old, { ...old, data: { x: "3" } }, { optimisticLock: true });
    const locked = await client.patch(ConfigMap, { namespace, name: "a" }, patch).catch((error: unknown) => error);
    expect(isConflict(locked)).toBe(true);
  });

  it("lists in pages, by labels, and as metadata", async () => {
    for (const name of ["a", "b", "c"]) await client.create(ConfigMap, configMap(name, { x: "1" }));
    const names: (string | undefined)[] = [];
    for await (const { metadata } of client.listEach(ConfigMap, { namespace, labels, limit: 2 }))
      names.push(metadata.name);
    expect(names).toEqual(["a", "b", "c"]);
    const { items } = await client.list(metadataOnly(ConfigMap), { namespace, labels });
    expect(items.map((item) => [item.kind, "data" in item])).toEqual(
      Array.from({ length: 3 }, () => ["ConfigMap", false]),
    );
  });

  it("streams the initial state and then the changes", async () => {
    await client.create(ConfigMap, configMap("before"));
    const seen: string[] = [];
    const options = {
      namespace,
      labels,
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      allowBookmarks: true,
    } as const;
    for await (const { type, object } of client.watch(ConfigMap, options)) {
      const end = object.metadata.annotations?.["k8s.io/initial-events-end"];
      if (type === "BOOKMARK" && !end) continue;
      seen.push(end ? "synced" : `${type} ${object.metadata.name}`);
      if (end) await client.create(ConfigMap, configMap("after"));
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["ADDED before", "synced", "ADDED after"]);
  });

  it.each<[string, (client: Client) => Promise<unknown>, object]>([
    ["an object that is not there", (c) => c.get(ConfigMap, { namespace, name: "no" }), { code: 404, message: 'configmaps "no" not found' }],
    ["a namespace that is not there", (c) => c.create(ConfigMap, { metadata: { namespace: "no", name: "a" } }), { code: 404, message: 'namespaces "no" not found' }],
    ["a group that nobody serves", (c) => c.list(Foo), { code: "TSOP_RESOURCE_NOT_SERVED" }],
    ["a kind that a group lacks", (c) => c.get(AppsFoo, { namespace, name: "a" }), { code: "TSOP_RESOURCE_NOT_SERVED" }],
    ["a subresource that a kind lacks", (c) => c.status.update(ConfigMap, configMap("a")), { code: "TSOP_SUBRESOURCE_NOT_SERVED" }],
    ["a name that is none", (c) => c.create(ConfigMap, configMap("Not A Name")), { code: 422, reason: "Invalid" }],
  ])("tells what is wrong with %s", async (_name, call, expected) => {
    await expect(call(client)).rejects.toMatchObject(expected);
  }); // prettier-ignore
});
