import { loadBuiltins } from "../../../../../src/apimachinery/builtin/load-builtins.ts";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../../src/apimachinery/json-schema.ts";
import type { ServedResource } from "../../../../../src/apiserver/registry/served-resource.ts";
import { Documents } from "../../../../../src/apiserver/endpoints/documents.ts";
import type { OpenApiIndex } from "../../../../../src/apiserver/endpoints/openapi/open-api-document.ts";
import { recorded } from "../../recorded/recorded.ts";
import { servedResources } from "../discovery/served-resources.ts";

const lists = recorded("discovery")["lists"];
const spec: JsonSchema = {
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "string" } } } },
};
const resources = withSchema(servedResources([lists["v1"], lists["apps/v1"], lists["example.com/v1"]]), spec);

function withSchema(rows: readonly ServedResource[], schema: JsonSchema): ServedResource[] {
  return rows.map((row) => ({ ...row, schema: () => schema }));
}

function document(path: string, rows: readonly ServedResource[] = resources): any {
  return JSON.parse(new Documents(loadBuiltins(), () => rows).openApi(path)!.body);
}

describe("an OpenAPI document", () => {
  it.each(["api/v1", "apis/apps/v1", "apis/example.com/v1"])("refers only to definitions that %s has", (path) => {
    const { components, paths } = document(path);
    const references = [
      ...JSON.stringify({ components, paths }).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ];
    expect(references.length).toBeGreaterThan(0);
    expect(references.map(([, name]) => name!).filter((name) => !(name in components.schemas))).toEqual([]);
  });
});

describe("the OpenAPI index", () => {
  it("changes for the version of a changed CRD only", () => {
    const changed = resources.map((row) =>
      row.plural === "gadgets" ? { ...row, schema: (): JsonSchema => ({ type: "object", description: "new" }) } : row,
    );
    const [before, after] = [resources, changed].map(
      (rows) => new Documents(loadBuiltins(), () => rows).openApiIndex().paths,
    ) as [OpenApiIndex["paths"], OpenApiIndex["paths"]];
    expect(
      Object.keys(before).filter((path) => before[path]!.serverRelativeURL !== after[path]!.serverRelativeURL),
    ).toEqual(["apis/example.com/v1"]);
    expect(document("apis/example.com/v1", changed).components.schemas["com.example.v1.Gadget"].description).toBe(
      "new",
    );
    expect(document("apis/example.com/v1").components.schemas["com.example.v1.Gadget"].description).toBeUndefined();
  });

  it("renders each document once while its resources stay", () => {
    let rows = [...resources];
    const documents = new Documents(loadBuiltins(), () => rows);
    const rendered = documents.openApi("apis/apps/v1");
    expect(documents.openApi("apis/apps/v1")).toBe(rendered);
    rows = [...rows];
    expect(documents.openApi("apis/apps/v1")).toBe(rendered);
  });
});
