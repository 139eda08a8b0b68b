import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import type { JsonSchema } from "../../../src/apimachinery/json-schema.ts";
import { apiBreaks } from "../../../src/check/oracles/judge-api.ts";

type Versions = Readonly<Record<string, JsonSchema | "unserved">>;

function crd(versions: Versions, name = "caches.example.com"): UnstructuredObject {
  const list = Object.entries(versions).map(([version, schema]) => ({
    name: version,
    served: schema !== "unserved",
    storage: version === "v1",
    schema: { openAPIV3Schema: schema === "unserved" ? {} : { type: "object", properties: { spec: schema } } },
  }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { group: "example.com", names: { kind: "Cache", plural: "caches" }, scope: "Namespaced", versions: list },
  };
}

const size = (keywords: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { size: { type: "integer", ...keywords } },
});

it.each<[string, Versions, Versions, string[]]>([
  ["nothing", { v1: size({}) }, { v1: size({}) }, []],
  ["a new version", { v1: size({}) }, { v1: size({}), v2: size({ maximum: 3 }) }, []],
  ["a limit", { v1: size({}) }, { v1: size({ maximum: 3 }) }, ["caches.example.com v1 schema"]],
  ["a value more", { v1: size({ enum: [1] }) }, { v1: size({ enum: [1, 2] }) }, []],
  ["a field that is gone", { v1: size({}) }, { v1: { type: "object" } }, ["caches.example.com v1 schema"]],
  [
    "a version that is gone",
    { v1: size({}), v1beta1: size({}) },
    { v1: size({}) },
    ["caches.example.com v1beta1 removed"],
  ],
  ["a version that is not served any more", { v1: size({}) }, { v1: "unserved" }, ["caches.example.com v1 removed"]],
  ["a version that was neither served nor stored", { v1: size({}), v2: "unserved" }, { v1: size({}) }, []],
])("judges an upgrade with %s", (_title, before, after, expected) => {
  expect(apiBreaks([crd(before)], [crd(after)]).map(({ about }) => about)).toEqual(expected);
});

it("names the change, and a removed CRD", () => {
  const older = [crd({ v1: size({ maximum: 5 }) }), crd({ v1: {} }, "backups.example.com")];
  expect(apiBreaks(older, [crd({ v1: size({ maximum: 3, minimum: 1 }) })])).toMatchObject([
    { sentence: "The newer version has no CRD backups.example.com." },
    {
      sentence:
        "caches.example.com v1 refuses objects that are valid today, or drops their fields: spec.size: maximum 5 → 3 (and 1 more change).",
      lines: ["spec.size: maximum 5 → 3", "spec.size: minimum none → 1"],
    },
  ]);
});
