import { describe, expect, it } from "vitest";
import { compareCrds } from "../../../../src/apimachinery/crd/compare-crds.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import type { CrdSpec, CrdVersion, CustomResourceDefinition } from "../../../../src/apimachinery/crd/crd-types.ts";

const v1: CrdVersion = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: {} } } } },
};
const v2: CrdVersion = { ...v1, name: "v2", storage: false };
const crd = (spec: Partial<CrdSpec> = {}, storedVersions?: string[]): CustomResourceDefinition => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boats.sea.example.com" },
  spec: {
    group: "sea.example.com",
    scope: "Namespaced",
    names: { kind: "Boat", plural: "boats", shortNames: ["bt"] },
    versions: [v1],
    ...spec,
  },
  ...(storedVersions && { status: { storedVersions } }),
});
const names = crd().spec.names;
const webhook = { strategy: "Webhook" } as const;
const withStatus = { ...v1, subresources: { status: {} } };
const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

describe("compareCrds", () => {
  it.each<[string, CustomResourceDefinition, CustomResourceDefinition, string[]]>([
    ["nothing", crd(), crd(), []],
    ["another scope", crd(), crd({ scope: "Cluster" }), ["loses stored data: scope: Namespaced → Cluster"]],
    ["another kind", crd(), crd({ names: { ...names, kind: "Ship" } }), ["breaks writers: names.kind: Boat → Ship"]],
    [
      "a short name that is gone",
      crd(),
      crd({ names: { kind: "Boat", plural: "boats" } }),
      ["breaks readers: names.shortNames: bt removed"],
    ],
    ["a new version", crd(), crd({ versions: [v1, v2] }), ["safe: v2 added"]],
    ["a removed version that is not stored", crd({ versions: [v1, v2] }), crd(), ["breaks writers: v2 removed"]],
    [
      "a removed version that is served no more",
      crd({ versions: [v1, { ...v2, served: false }] }),
      crd(),
      ["safe: v2 removed"],
    ],
    [
      "a removed version in which a cluster has objects",
      crd({ versions: [v1, v2] }, ["v1", "v2"]),
      crd(),
      ["loses stored data: v2 removed"],
    ],
    [
      "another version to store, and the first one removed",
      crd(),
      crd({ versions: [{ ...v2, storage: true }] }),
      ["safe: the version that is stored: v1 → v2", "loses stored data: v1 removed", "safe: v2 added"],
    ],
    [
      "a version that is no longer served",
      crd({ versions: [v1, v2] }),
      crd({ versions: [v1, { ...v2, served: false }] }),
      ["breaks writers: v2 no longer served"],
    ],
    ["a warning", crd(), crd({ versions: [{ ...v1, deprecated: true }] }), ["safe: v1 deprecated"]],
    ["a webhook", crd(), crd({ conversion: webhook }), ["safe: conversion.strategy: None → Webhook"]],
    ["no webhook", crd({ conversion: webhook }), crd(), ["loses stored data: conversion.strategy: Webhook → None"]],
    ["a status", crd(), crd({ versions: [withStatus] }), ["breaks writers: v1 subresources.status: added"]],
    ["no status", crd({ versions: [withStatus] }), crd(), ["breaks writers: v1 subresources.status: removed"]],
    [
      "no scale",
      crd({ versions: [{ ...v1, subresources: { scale } }] }),
      crd(),
      ["breaks writers: v1 subresources.scale: removed"],
    ],
    [
      "a field that cannot be selected by",
      crd({ versions: [{ ...v1, selectableFields: [{ jsonPath: ".spec.size" }] }] }),
      crd(),
      ["breaks readers: v1 selectableFields: .spec.size removed"],
    ],
    [
      "another schema",
      crd({ versions: [withField({ type: "integer", maximum: 5 })] }),
      crd({ versions: [withField({ type: "integer", maximum: 3, default: 1 })] }),
      ["safe: v1 spec.size: default none → 1", "breaks writers: v1 spec.size: maximum 5 → 3"],
    ],
    [
      "a removed field",
      crd({ versions: [withField({ type: "integer" })] }),
      crd(),
      ["loses stored data: v1 spec.size: removed"],
    ],
  ])("judges %s", (_title, before, after, expected) => {
    const found = compareCrds([before], [after]);
    expect(found.map(({ version, change, verdict }) => `${verdict}: ${version ? `${version} ` : ""}${change}`)).toEqual(
      expected,
    );
    expect(
      found.filter(({ crd: name, reason }) => name !== "boats.sea.example.com" || !/^[A-Z].*\.$/.test(reason)),
    ).toEqual([]);
  });

  it("judges CRDs that only one release has", () => {
    const other = { ...crd(), metadata: { name: "anchors.sea.example.com" } };
    expect(compareCrds([crd()], [other])).toMatchObject([
      { crd: "anchors.sea.example.com", change: "added", verdict: "safe" },
      { crd: "boats.sea.example.com", change: "removed", verdict: "loses stored data" },
    ]);
  });
});

function withField(size: JsonSchema): CrdVersion {
  const spec: JsonSchema = { type: "object", properties: { size } };
  return { ...v1, schema: { openAPIV3Schema: { type: "object", properties: { spec } } } };
}
