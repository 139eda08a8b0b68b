import { expect, it } from "vitest";
import { convertV1beta1 } from "../../../../src/apimachinery/crd/convert-v1beta1.ts";
import type { CustomResourceDefinition } from "../../../../src/apimachinery/crd/crd-types.ts";

const names = { plural: "boats", kind: "Boat" };
const old = (spec: object): CustomResourceDefinition =>
  ({
    apiVersion: "apiextensions.k8s.io/v1beta1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boats.sea.example.com" },
    spec: { group: "sea.example.com", names, ...spec },
  }) as CustomResourceDefinition;

it("writes what the spec says about all versions in its only version", () => {
  const { apiVersion, spec } = convertV1beta1(
    old({
      version: "v1",
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: "Crew", type: "integer", JSONPath: ".spec.crew" }],
      validation: { openAPIV3Schema: { properties: { spec: { type: "object" } } } },
    }),
  );
  expect({ apiVersion, spec }).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    spec: {
      group: "sea.example.com",
      names,
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Crew", type: "integer", jsonPath: ".spec.crew" }],
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
        },
      ],
    },
  });
});

it("keeps what a version says itself", () => {
  const schema = { openAPIV3Schema: { type: "object", properties: {} } };
  const versions = [{ name: "v2", served: true, storage: true, schema, subresources: {} }];
  const { spec } = convertV1beta1(old({ version: "v2", versions, subresources: { status: {} } }));
  expect(spec.versions).toEqual(versions);
});

it("completes the types that v1 requires", () => {
  const properties = {
    object: { properties: { list: { items: {} } } },
    either: { anyOf: [{ type: "integer" }, { type: "string" }] },
    choice: { enum: ["a"] },
    list: { type: "array" },
  };
  const { spec } = convertV1beta1(old({ version: "v1", validation: { openAPIV3Schema: { properties } } }));
  const any = { "x-kubernetes-preserve-unknown-fields": true };
  expect(spec.versions[0]?.schema?.openAPIV3Schema?.properties).toEqual({
    object: { type: "object", properties: { list: { type: "array", items: any } } },
    either: { ...properties.either, "x-kubernetes-int-or-string": true },
    choice: { type: "string", enum: ["a"] },
    list: { type: "array", items: any },
  });
});

it("returns a definition of v1 as it is", () => {
  const crd = { ...old({ versions: [] }), apiVersion: "apiextensions.k8s.io/v1" };
  expect(convertV1beta1(crd)).toBe(crd);
});
