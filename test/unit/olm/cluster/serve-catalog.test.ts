import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CatalogSourceKind } from "../../../../src/client/manifests/olm-kinds.ts";
import { registryObjects } from "../../../../src/olm/cluster/registry-objects.ts";
import { readServedCatalog, serveCatalog } from "../../../../src/olm/cluster/serve-catalog.ts";
import { PodKind } from "../../../../src/olm/cluster/kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

let stopping: AbortController;
beforeEach(() => {
  stopping = new AbortController();
});
afterEach(() => stopping.abort());

const options = {
  indexImage: "opm",
  decompressionImage: "ubi",
  pullPolicy: "Always",
  securityContext: "legacy",
} as const;

it("reads its own ConfigMaps, not those in which OLM keeps the bundles that it has unpacked", async () => {
  const { client } = await startSandbox({ olm: true, simulate: false }, stopping.signal);
  const source = await client.create(CatalogSourceKind, {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "CatalogSource",
    metadata: { name: "thing-catalog", namespace: "default" },
    spec: { sourceType: "grpc" },
  });
  const documents = [
    { schema: "olm.package", name: "thing" },
    { schema: "olm.channel", name: "alpha" },
  ];
  const maps = registryObjects(source, documents, { podName: "registry", ...options }).slice(0, -1);
  const kind = await client.kindFor("v1", "ConfigMap");
  for (const map of maps) await client.create(kind, map);
  const { ownerReferences = [] } = maps[0]!.metadata;
  // As `opm alpha bundle extract --gzip` writes it.
  const unpacked = Buffer.from(gzipSync("kind: Service").toString("base64")).toString("base64");
  await client.create(kind, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "unpacked", namespace: "default", ownerReferences },
    binaryData: { "service.yaml": unpacked },
  });
  expect(await readServedCatalog({ client, namespace: "default" }, source)).toEqual(documents);
});

// A second run, soon after a cleanup.
it("waits for the end of the pod of an earlier catalog, which has the same name", async () => {
  const { signal } = stopping;
  const { client } = await startSandbox({ olm: true, pace: { min: 1, max: 5 } }, signal);
  const namespace = "default";
  const sources = { apiVersion: "operators.coreos.com/v1alpha1", kind: "CatalogSource", spec: { sourceType: "grpc" } };
  const host = { client, namespace, signal, timeoutMs: 20_000, emit: () => {} };
  const catalog = { documents: [{ schema: "olm.package", name: "thing" }], podName: "registry", injected: [] };
  const serve = async (lines: string[]): Promise<string | undefined> => {
    const source = await client.create(CatalogSourceKind, {
      ...sources,
      metadata: { name: "thing-catalog", namespace },
    });
    const emit = (line: string) => lines.push(line);
    await serveCatalog({ ...host, emit }, source, catalog, { ...options, deadline: Date.now() + 20_000 });
    return (await client.get(PodKind, { namespace, name: "registry" })).metadata.uid;
  };
  const first = await serve([]);
  await client.delete(CatalogSourceKind, { namespace, name: "thing-catalog" }, { propagationPolicy: "Background" });
  const lines: string[] = [];
  expect(await serve(lines)).not.toBe(first);
  expect(lines).toContain("pods/registry deleted");
});
