import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createClient,
  createOrPatch,
  createOrUpdate,
  defineKind,
  extractApplied,
  HttpTransport,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isKindNotServed,
  isMethodNotAllowed,
  isUnsupportedMediaType,
  jsonPatch,
  mergeFrom,
  mergePatch,
  metadataOnly,
  namespacedClient,
  rawPatch,
  retryOnConflict,
  type Client,
} from "../../../src/index.ts";
import { Deployment } from "../../../src/k8s/apps/v1.ts";
import type { Scale } from "../../../src/k8s/autoscaling/v1.ts";
import { ConfigMap } from "../../../src/k8s/core/v1.ts";
import { targets } from "./targets.ts";

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

  it("finds the kinds of types known only by name", async () => {
    expect(await client.kindFor("v1", "ConfigMap")).toEqual(ConfigMap);
    const deployment = await client.kindFor("apps/v1", "Deployment");
    expect(deployment).toMatchObject({ plural: "deployments", scope: "Namespaced" });
    expect(deployment.subresources.toSorted()).toEqual(["scale", "status"]);
    expect(await client.preferredKindFor("apps", "Deployment")).toEqual(deployment);
    expect(await client.preferredKindFor("", "ConfigMap")).toEqual(ConfigMap);
    expect((await client.preferredKindFor("events.k8s.io", "Event")).version).toBe("v1");
    await expect(client.preferredKindFor("nobody.example.com", "Foo")).rejects.toSatisfy(isKindNotServed);
    expect(await client.kindFor("v1", "Node")).toMatchObject({ plural: "nodes", scope: "Cluster" });
    await expect(client.kindFor("apps/v1", "Foo")).rejects.toSatisfy(isKindNotServed);
    await expect(client.kindFor("nobody.example.com/v1", "Foo")).rejects.toSatisfy(isKindNotServed);
  });

  it("changes nothing in a dry run", async () => {
    await client.create(ConfigMap, configMap("dry"), { dryRun: true });
    expect(await client.getOrUndefined(ConfigMap, { namespace, name: "dry" })).toBeUndefined();
  });

  it("rejects an update of an old version, and a merge patch with a lock on one", async () => {
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

  it("extracts the fields that an owner has applied", async () => {
    const key = { namespace, name: "extracted" };
    const container = { name: "main", image: "a", ports: [{ containerPort: 80 }], args: ["x", "y"] };
    const template = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: "a" } }, template };
    const applied = { metadata: { ...key, labels, finalizers: ["example.com/a"] }, spec };
    const [own, other] = [{ fieldOwner: "suite" }, { fieldOwner: "other" }];
    await client.apply(Deployment, applied, own);
    await client.apply(Deployment, { metadata: { ...key, annotations: { b: "c" } }, spec: { replicas: 2 } }, other);
    const status = { metadata: key, status: { conditions: [{ type: "Ready", status: "True" as const }] } };
    const live = await client.status.apply(Deployment, status, own);
    const type = { apiVersion: "apps/v1", kind: "Deployment" };
    const port = { containerPort: 80, protocol: "TCP" };
    expect(extractApplied(live, "suite")).toEqual({
      ...type,
      ...applied,
      spec: { ...spec, template: { ...template, spec: { containers: [{ ...container, ports: [port] }] } } },
    });
    expect(extractApplied(live, "other")).toEqual({
      ...type,
      metadata: { ...key, annotations: { b: "c" } },
      spec: { replicas: 2 },
    });
    expect(extractApplied(live, "suite", { subresource: "status" })).toEqual({ ...type, ...status });
    expect(extractApplied(live, "nobody")).toEqual({ ...type, metadata: key });
    const { managedFields: _stripped, ...metadata } = live.metadata;
    expect(() => extractApplied({ ...live, metadata }, "suite")).toThrow("has no metadata.managedFields");
    const { spec: changed = {}, ...rest } = extractApplied(live, "suite");
    const { replicas: _left, ...without } = changed;
    const again = await client.apply(Deployment, { ...rest, spec: { ...without, paused: true } }, own);
    expect(again.spec).toMatchObject({ replicas: 2, paused: true });
    expect(extractApplied(again, "suite").spec).toEqual({
      ...extractApplied(live, "suite").spec,
      replicas: undefined,
      paused: true,
    });
    await client.patch(Deployment, key, mergePatch({ metadata: { finalizers: null } }));
    await client.delete(Deployment, key);
  });

  it("reads and writes subresources: status by update, patch and apply, scale with its own kind", async () => {
    const key = { namespace, name: "web" };
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    try {
      const created = await client.create(Deployment, { metadata: key, spec });
      const updated = await client.status.update(Deployment, { ...created, status: { replicas: 2 } });
      expect([updated.status?.replicas, updated.spec?.replicas]).toEqual([2, 1]);
      const patched = await client.status.patch(Deployment, key, mergePatch({ status: { readyReplicas: 1 } }));
      expect(patched.status).toMatchObject({ replicas: 2, readyReplicas: 1 });
      const status = { observedGeneration: 7 };
      const applied = await client.status.apply(
        Deployment,
        { metadata: key, status },
        { fieldOwner: "suite", force: true },
      );
      expect(applied.status?.observedGeneration).toBe(7);
      const scale = client.subResource("scale");
      expect(await scale.get<Scale>(Deployment, key)).toMatchObject({ kind: "Scale", spec: { replicas: 1 } });
      await scale.patch(Deployment, key, mergePatch({ spec: { replicas: 3 } }));
      expect((await client.get(Deployment, key)).spec?.replicas).toBe(3);
      const strategic = { spec: { template: { spec: { containers: [{ name: "c", image: "other" }] } } } };
      const merged = await client.patch(Deployment, key, rawPatch("application/strategic-merge-patch+json", strategic));
      expect(merged.spec?.template.spec?.containers).toMatchObject([{ name: "c", image: "other" }]);
    } finally {
      await client.delete(Deployment, key);
    }
  });

  it("rejects operations that a resource does not support", async () => {
    await client.create(ConfigMap, configMap("a"));
    const again = await client.create(ConfigMap, configMap("a")).catch((error: unknown) => error);
    expect(isAlreadyExists(again)).toBe(true);
    const everywhere = await client.deleteAllOf(ConfigMap, { labels }).catch((error: unknown) => error);
    expect(isMethodNotAllowed(everywhere)).toBe(true);
    const patch = rawPatch("application/nonsense" as "application/merge-patch+json", {});
    const unknown = await client.patch(ConfigMap, { namespace, name: "a" }, patch).catch((error: unknown) => error);
    expect(isUnsupportedMediaType(unknown)).toBe(true);
    const renamed = mergePatch({ metadata: { name: "b" } });
    const invalid = await client.patch(ConfigMap, { namespace, name: "a" }, renamed).catch((error: unknown) => error);
    expect(isInvalid(invalid) || (invalid as { code?: number }).code === 400).toBe(true);
  });

  it("validates fields as strictly as requested", async () => {
    const odd = { ...configMap("a"), spce: 1 };
    await expect(client.create(ConfigMap, odd, { fieldValidation: "Strict" })).rejects.toMatchObject({ code: 400 });
    const warnings: string[] = [];
    const transport = new HttpTransport(env.config);
    const warned = createClient({ transport, onWarning: (text) => warnings.push(text), fieldValidation: "Warn" });
    await warned.create(ConfigMap, odd);
    transport.close();
    expect(warnings).toEqual(['unknown field "spce"']);
    await client.create(ConfigMap, { ...odd, metadata: { ...odd.metadata, name: "b" } }, { fieldValidation: "Ignore" });
  });

  it("deletes matching objects only if the version or uid matches", async () => {
    const a = await client.create(ConfigMap, configMap("a"));
    const key = { namespace, name: "a" };
    const wrong = client.delete(ConfigMap, key, { preconditions: { uid: "other" } });
    expect(isConflict(await wrong.catch((error: unknown) => error))).toBe(true);
    await client.delete(ConfigMap, key, { preconditions: { uid: a.metadata.uid! }, propagationPolicy: "Background" });
    for (const name of ["b", "c"]) await client.create(ConfigMap, configMap(name));
    await client.create(ConfigMap, { metadata: { namespace, name: "stays" } });
    await client.deleteAllOf(ConfigMap, { namespace, labels });
    const { items } = await client.list(ConfigMap, { namespace, fields: "metadata.name=stays" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["stays"]);
    expect((await client.list(ConfigMap, { namespace, labels })).items).toEqual([]);
    await client.delete(ConfigMap, { namespace, name: "stays" });
  });

  it("patches only metadata, and works within one namespace", async () => {
    const only = namespacedClient(client, namespace);
    await only.create(ConfigMap, { metadata: { name: "a", labels }, data: { x: "1" } });
    const patch = mergePatch({ metadata: { annotations: { seen: "yes" } } });
    const patched = await only.patch(metadataOnly(ConfigMap), { name: "a" }, patch);
    expect(patched.metadata.annotations).toEqual({ seen: "yes" });
    expect(patched).not.toHaveProperty("data");
    expect((await only.get(ConfigMap, { name: "a" })).data).toEqual({ x: "1" });
  });

  it("creates or updates, creates or patches, and retries after a conflict", async () => {
    const wanted = configMap("a");
    const set = (x: string) => (object: ConfigMap) => void (object.data = { ...object.data, x });
    expect((await createOrUpdate(client, ConfigMap, wanted, set("1"))).operation).toBe("created");
    expect((await createOrUpdate(client, ConfigMap, wanted, set("1"))).operation).toBe("unchanged");
    expect((await createOrUpdate(client, ConfigMap, wanted, set("2"))).operation).toBe("updated");
    expect((await createOrPatch(client, ConfigMap, wanted, set("3"))).operation).toBe("updated");
    let tries = 0;
    const stale = await client.get(ConfigMap, { namespace, name: "a" });
    await retryOnConflict(async () => {
      const current = tries++ === 0 ? stale : await client.get(ConfigMap, { namespace, name: "a" });
      if (tries === 1) await client.update(ConfigMap, { ...stale, data: { x: "4" } });
      await client.update(ConfigMap, { ...current, data: { ...current.data, y: "5" } });
    });
    expect((await client.get(ConfigMap, { namespace, name: "a" })).data).toEqual({ x: "4", y: "5" });
    expect(tries).toBe(2);
  });

  it.each<[string, (client: Client) => Promise<unknown>, object]>([
    ["a missing object", (c) => c.get(ConfigMap, { namespace, name: "no" }), { code: 404, message: 'configmaps "no" not found' }],
    ["a missing namespace", (c) => c.create(ConfigMap, { metadata: { namespace: "no", name: "a" } }), { code: 404, message: 'namespaces "no" not found' }],
    ["a group that is not served", (c) => c.list(Foo), { code: "TSOP_RESOURCE_NOT_SERVED" }],
    ["a kind missing from its group", (c) => c.get(AppsFoo, { namespace, name: "a" }), { code: "TSOP_RESOURCE_NOT_SERVED" }],
    ["a subresource missing from its kind", (c) => c.status.update(ConfigMap, configMap("a")), { code: "TSOP_SUBRESOURCE_NOT_SERVED" }],
    ["an invalid name", (c) => c.create(ConfigMap, configMap("Not A Name")), { code: 422, reason: "Invalid" }],
  ])("reports the problem with %s", async (_name, call, expected) => {
    await expect(call(client)).rejects.toMatchObject(expected);
  }); // prettier-ignore
});
