import { describe, expect, it } from "vitest";
import type { ApiError } from "../../../../../src/apimachinery/status.ts";
import type { ServedResource } from "../../../../../src/apiserver/registry/served-resource.ts";
import {
  parseIncludeObject,
  toTable,
  type TableOptions,
} from "../../../../../src/apiserver/representation/tables/to-table.ts";

const configMaps: ServedResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  listKind: "ConfigMapList",
  plural: "configmaps",
  singular: "configmap",
  shortNames: ["cm"],
  categories: [],
  namespaced: true,
  verbs: ["get", "list"],
  subresources: [],
  schema: () => undefined,
};
const metadata = { name: "c1", namespace: "default", creationTimestamp: "2026-01-01T00:00:00Z" };
const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } };
const options: TableOptions = {
  metadata: { resourceVersion: "7" },
  version: "v1",
  includeObject: "Metadata",
  withColumns: true,
  now: Date.parse("2026-01-01T00:00:05Z"),
};

describe("toTable", () => {
  it("has a row an object, with the object's metadata", () => {
    const table = toTable(configMaps, [object], options);
    expect(table).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "7" } });
    expect(table.columnDefinitions.map((column) => column.name)).toEqual(["Name", "Data", "Age"]);
    expect(table.rows).toEqual([
      {
        cells: ["c1", 1, "5s"],
        object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata },
      },
    ]);
  });

  it("includes what is asked for", () => {
    expect(toTable(configMaps, [object], { ...options, includeObject: "Object" }).rows[0]?.object).toBe(object);
    expect(toTable(configMaps, [object], { ...options, includeObject: "None" }).rows[0]?.object).toBeNull();
  });

  it("leaves the columns out of later watch events", () => {
    expect(toTable(configMaps, [object], { ...options, withColumns: false }).columnDefinitions).toEqual([]);
  });

  it("survives objects that lack everything", () => {
    expect(toTable(configMaps, [{ metadata: {} }], options).rows[0]?.cells).toEqual(["", 0, "<unknown>"]);
  });
});

describe("includeObject", () => {
  it("defaults to the metadata", () => {
    expect([undefined, null, "", "Metadata", "Object", "None"].map(parseIncludeObject)).toEqual([
      "Metadata",
      "Metadata",
      "Metadata",
      "Metadata",
      "Object",
      "None",
    ]);
  });

  it("refuses other values", () => {
    let refusal: unknown;
    try {
      parseIncludeObject("Foo");
    } catch (error) {
      refusal = (error as ApiError).status;
    }
    expect(refusal).toMatchObject({
      message: `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`,
      reason: "BadRequest",
      code: 400,
    });
  });
});
