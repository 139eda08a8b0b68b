import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import { CustomResourceDefinition, installCrds } from "../../src/client/manifests/install-crds.ts";
import { migrateStoredVersions } from "../../src/client/manifests/migrate-stored-versions.ts";
import { createClient } from "../../src/index.ts";
import { openCrd } from "../../src/testing/open-crd.ts";
import { withServer } from "./foreign-server.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const missing = existsSync(join(assets, "kube-controller-manager")) ? "" : " (no kube-controller-manager)";

const Cache = defineKind({ group: "example.com", version: "v1", kind: "Cache", plural: "caches" });

/** Kubernetes 1.37 and newer migrate themselves. */
it.skipIf(missing !== "")(`a cluster migrates stored versions by itself${missing}`, { timeout: 300_000 }, async () => {
  await withServer({ assets, real: true, controllerArguments: [] }, async ({ config }) => {
    const client = createClient({ config });
    const crd = openCrd(Cache) as { spec: { versions: { name: string; storage: boolean }[] } } & object;
    const { versions } = crd.spec;
    await installCrds(client, [crd as never]);
    for (const name of ["a", "b", "c"]) await client.create(Cache, { metadata: { namespace: "default", name } });
    versions[0].storage = false;
    versions.push({ ...versions[0], name: "v2", storage: true });
    await installCrds(client, [crd as never]);
    const written: number[] = [];
    const onProgress = (number: number) => void written.push(number);
    expect(await migrateStoredVersions(client, "caches.example.com", { onProgress })).toBe(3);
    const served = await client.kindFor("storagemigration.k8s.io/v1", "StorageVersionMigration").then(
      () => true,
      () => false,
    );
    // The client writes nothing if the cluster does.
    expect(written).toHaveLength(served ? 0 : 3);
    const after = await client.get(CustomResourceDefinition, { name: "caches.example.com" });
    expect((after["status"] as { storedVersions: string[] }).storedVersions).toEqual(["v2"]);
  });
});
