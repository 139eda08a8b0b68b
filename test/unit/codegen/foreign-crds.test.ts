import { expect, it } from "vitest";
import type { JsonSchema } from "../../../src/apimachinery/json-schema.ts";
import { foreignCrds } from "../../../src/codegen/foreign-crds.ts";
import { typesFromCrd } from "../../../src/codegen/from-crd/types-from-crd.ts";
import { loadProjectTypes } from "../../../src/codegen/run-generators.ts";
import type { CustomResourceDefinition } from "../../../src/apimachinery/crd/crd-types.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";
import { boatCrd } from "./from-crd/boat-crd.ts";

const spec: JsonSchema = {
  type: "object",
  required: ["color"],
  properties: { color: { type: "string", maxLength: 9 } },
};

/** Returns the CRDs that the types of a CRD make again. */
async function crdsOf(crd: CustomResourceDefinition, leftOut = "-") {
  const files = typesFromCrd(crd, "api/external/sea").filter(({ path }) => !path.includes(leftOut));
  const disk = memoryDisk(Object.fromEntries(files.map(({ path, text }) => [`/p/${path}`, text])));
  const folders = crd.spec.versions.map(({ name }) => `api/external/sea/${name}`);
  const { kinds } = await loadProjectTypes({ root: "/p", disk, forCrds: false });
  return foreignCrds(kinds, folders);
}

it("makes the CRD from whose versions the types were written", async () => {
  const crd = boatCrd(spec, { subresources: { status: {} } });
  const [v1] = crd.spec.versions;
  const versions = [{ ...v1!, name: "v1beta1", storage: false }, v1!];
  const [made] = (await crdsOf({ ...crd, spec: { ...crd.spec, versions } })) as unknown as CustomResourceDefinition[];
  const { group, names, scope } = crd.spec;
  expect(made).toMatchObject({ metadata: crd.metadata, spec: { group, names, scope } });
  const [stored] = made!.spec.versions;
  expect(made!.spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
    ["v1", true],
    ["v1beta1", false],
  ]);
  expect(stored?.schema?.openAPIV3Schema?.properties?.["spec"]).toEqual(spec);
});

it("stores the last version if the types of the stored one are missing", async () => {
  const crd = boatCrd(spec);
  const [v1] = crd.spec.versions;
  const versions = [v1!, ...["v1alpha1", "v1beta1"].map((name) => ({ ...v1!, name, storage: false }))];
  const [made] = await crdsOf({ ...crd, spec: { ...crd.spec, versions } }, "/v1/");
  expect(made).toMatchObject({
    spec: {
      versions: [
        { name: "v1alpha1", storage: false },
        { name: "v1beta1", storage: true },
      ],
    },
  });
});
