import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mergeCrdPatches, readCrds } from "../../../../src/client/manifests/read-crds.ts";

const head =
  "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\n";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tsop-crds-"));
  for (const name of ["bases", "patches"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

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

it("reads a kustomization that includes itself once", async () => {
  write("bases/w.yaml", `${head}spec: { group: example.com, scope: Namespaced }\n`);
  write("kustomization.yaml", "resources: [bases/w.yaml, ., patches, patches]\n");
  write("patches/kustomization.yaml", "resources: [.., ../patches]\n");
  expect(await readCrds(folder)).toHaveLength(1);
});
