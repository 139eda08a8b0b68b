import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../../src/apimachinery/json-schema.ts";
import type { ServedResource } from "../../../../../src/apiserver/registry/served-resource.ts";
import { Documents } from "../../../../../src/apiserver/endpoints/documents.ts";
import { documentUrl, type OpenApiIndex } from "../../../../../src/apiserver/endpoints/openapi/open-api-document.ts";
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
  return JSON.parse(new Documents(() => rows).openApi(path)!.body);
}

describe("an OpenAPI document", () => {
  it("names a kind for each definition that has one, lists included", () => {
    const { schemas } = document("apis/apps/v1").components;
    expect(schemas["io.k8s.api.apps.v1.Deployment"]["x-kubernetes-group-version-kind"]).toEqual([
      { group: "apps", version: "v1", kind: "Deployment" },
    ]);
    expect(schemas["io.k8s.api.apps.v1.DeploymentList"].properties.items.items.allOf).toEqual([
      { $ref: "#/components/schemas/io.k8s.api.apps.v1.Deployment" },
    ]);
    expect(Object.keys(document("apis/example.com/v1").components.schemas)).toContain("com.example.v1.Widget");
  });

  it("describes built-in kinds as a real server does: types by reference, merge keys, enums", () => {
    const { schemas } = document("apis/apps/v1").components;
    const { template, strategy, replicas } = schemas["io.k8s.api.apps.v1.DeploymentSpec"].properties;
    expect(template.allOf).toEqual([{ $ref: "#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec" }]);
    expect(strategy["x-kubernetes-patch-strategy"]).toBe("retainKeys");
    expect(replicas.description).toMatch(/^Number of desired pods/);
    const { containers } = schemas["io.k8s.api.core.v1.PodSpec"].properties;
    expect(containers["x-kubernetes-patch-merge-key"]).toBe("name");
    const { httpGet, periodSeconds } = schemas["io.k8s.api.core.v1.Probe"].properties;
    expect([httpGet.allOf[0].$ref, periodSeconds.type]).toEqual([
      "#/components/schemas/io.k8s.api.core.v1.HTTPGetAction",
      "integer",
    ]);
    expect(schemas["io.k8s.api.core.v1.ContainerPort"].properties.protocol).toMatchObject({ type: "string" });
    expect(Object.keys(schemas["io.k8s.api.apps.v1.Deployment"].properties).sort()).toEqual([
      "apiVersion",
      "kind",
      "metadata",
      "spec",
      "status",
    ]);
  });

  it("writes named maps in place, and descriptions without the line breaks of their source", () => {
    const { schemas } = document("apis/apps/v1").components;
    expect(schemas["io.k8s.api.core.v1.ResourceRequirements"].properties.limits.additionalProperties).toEqual({
      $ref: "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity",
    });
    expect(schemas["io.k8s.api.core.v1.Probe"].description).toBe(
      "Probe describes a health check to be performed against a container to determine whether it is alive or ready to receive traffic.",
    );
  });

  it("adds type and metadata to embedded objects", () => {
    const embedded: JsonSchema = { type: "array", items: { type: "object", "x-kubernetes-embedded-resource": true } };
    const rows = withSchema(servedResources([lists["example.com/v1"]]), { type: "object", properties: { embedded } });
    const { properties } = document("apis/example.com/v1", rows).components.schemas["com.example.v1.Gadget"];
    expect(Object.keys(properties.embedded.items.properties)).toEqual(["apiVersion", "kind", "metadata"]);
    expect(properties.embedded.items.required).toEqual(["kind", "apiVersion"]);
  });

  it("adds type and metadata to the schema of a kind", () => {
    const { properties } = document("apis/example.com/v1").components.schemas["com.example.v1.Widget"];
    expect(Object.keys(properties).sort()).toEqual(["apiVersion", "kind", "metadata", "spec"]);
    expect(properties.metadata.allOf).toEqual([
      { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" },
    ]);
  });

  it.each(["api/v1", "apis/apps/v1", "apis/example.com/v1"])("refers only to definitions that %s has", (path) => {
    const { components, paths } = document(path);
    const references = [
      ...JSON.stringify({ components, paths }).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ];
    expect(references.length).toBeGreaterThan(0);
    expect(references.map(([, name]) => name!).filter((name) => !(name in components.schemas))).toEqual([]);
  });

  it("does not exist for a version that is not served", () => {
    const documents = new Documents(() => resources);
    expect(documents.openApi("apis/example.com/v9")).toBeUndefined();
    expect(documents.openApi("apis/nothing")).toBeUndefined();
  });
});

describe("the OpenAPI index", () => {
  it("leads to every document by its hash", () => {
    const documents = new Documents(() => resources);
    const { paths } = documents.openApiIndex();
    expect(Object.keys(paths)).toEqual(["api/v1", "apis/apps/v1", "apis/example.com/v1"]);
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      const { hash } = documents.openApi(path)!;
      expect(hash).toMatch(/^[0-9A-F]{128}$/);
      expect(serverRelativeURL).toBe(documentUrl(path, hash));
    }
  });

  it("changes for the version of a changed CRD only", () => {
    const changed = resources.map((row) =>
      row.plural === "gadgets" ? { ...row, schema: (): JsonSchema => ({ type: "object", description: "new" }) } : row,
    );
    const [before, after] = [resources, changed].map((rows) => new Documents(() => rows).openApiIndex().paths) as [
      OpenApiIndex["paths"],
      OpenApiIndex["paths"],
    ];
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
    const documents = new Documents(() => rows);
    const rendered = documents.openApi("apis/apps/v1");
    expect(documents.openApi("apis/apps/v1")).toBe(rendered);
    rows = [...rows];
    expect(documents.openApi("apis/apps/v1")).toBe(rendered);
  });
});
