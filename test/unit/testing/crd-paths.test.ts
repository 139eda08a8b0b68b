import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import { mergeCrdPatches, readCrds } from "../../../src/manifests/read-crds.ts";
import { openCrd } from "../../../src/testing/open-crd.ts";
import { readObject } from "../../../src/testing/read-object.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";

const head =
  "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\n";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tsop-crds-"));
  for (const name of ["bases", "patches"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

describe("readCrds", () => {
  it("reads the files of a kustomization and its patches, but not its configurations", async () => {
    write(
      "kustomization.yaml",
      "resources:\n- bases/w.yaml\npatches:\n- path: patches/w.yaml\nconfigurations:\n- c.yaml\n",
    );
    write("c.yaml", "nameReference: []\n");
    write("bases/w.yaml", `${head}spec: { group: example.com, scope: Namespaced }\n`);
    write("bases/unused.yaml", "nothing: here\n");
    write("patches/w.yaml", `${head}spec: { conversion: { strategy: Webhook } }\n`);
    expect(mergeCrdPatches(await readCrds(folder))).toMatchObject([
      { spec: { group: "example.com", scope: "Namespaced", conversion: { strategy: "Webhook" } } },
    ]);
  });

  it("accepts lists that hold only comments, and reports the place of invalid YAML", async () => {
    write("kustomization.yaml", "resources:\n# +kubebuilder:scaffold:crdkustomizeresource\npatches:\n");
    expect(await readCrds(folder)).toEqual([]);
    write("kustomization.yaml", "resources:\n- [a\n");
    await expect(readCrds(folder)).rejects.toMatchObject({ code: "TSOP_YAML_INVALID" });
    write("kustomization.yaml", "resources: [bases/gone.yaml]\n");
    await expect(readCrds(folder)).rejects.toThrow("gone.yaml");
  });
});

describe("readObject", () => {
  it("reads the one object of a file, and rejects any other number", async () => {
    const sample = join(folder, "sample.yaml");
    write("sample.yaml", `${head}spec: { size: 3 }\n`);
    expect(await readObject(sample)).toMatchObject({ metadata: { name: "widgets.example.com" }, spec: { size: 3 } });
    write("sample.yaml", `${head}---\n${head}`);
    await expect(readObject(sample)).rejects.toThrow("it has 2 objects, one is expected");
  });
});

describe("openCrd", () => {
  it("accepts objects of a kind whose schema is elsewhere, with its status, also in a group of the Kubernetes project", async () => {
    const Snapshot = defineKind<KubeObject & { spec?: object; status?: object }>({
      group: "snapshot.storage.k8s.io",
      version: "v1",
      kind: "Snapshot",
      plural: "snapshots",
      subresources: ["status"],
    });
    const env = new TestEnvironment({ env: {}, crds: [openCrd(Snapshot)] });
    await env.start();
    try {
      const object = { metadata: { namespace: "default", name: "a" }, spec: { any: ["thing"] } };
      const created = await env.client.create(Snapshot, object);
      expect(created).toMatchObject({ spec: { any: ["thing"] } });
      const status = { ready: true };
      await env.client.status.update(Snapshot, { ...created, status });
      expect(await env.client.get(Snapshot, object.metadata)).toMatchObject({ ...object, status });
    } finally {
      await env.stop();
    }
  });
});
