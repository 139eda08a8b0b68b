import { gzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { CatalogSourceKind } from "../../../../src/manifests/olm-kinds.ts";
import { registryObjects } from "../../../../src/olm/cluster/registry-objects.ts";
import { readServedCatalog } from "../../../../src/olm/cluster/serve-catalog.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

const stopping = new AbortController();
afterEach(() => stopping.abort());

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
  const options = {
    indexImage: "opm",
    decompressionImage: "ubi",
    pullPolicy: "Always",
    securityContext: "legacy",
  } as const;
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
