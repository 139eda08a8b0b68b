import { describe, expect, it } from "vitest";
import { builtinSchema } from "../../../../src/apimachinery/builtin/builtin-schema.ts";
import { loadBuiltins } from "../../../../src/apimachinery/builtin/load-builtins.ts";

describe("the built-in types", () => {
  it("have a schema for every resource", () => {
    const without = loadBuiltins().resources.filter(({ type }) => !builtinSchema(type));
    expect(without.map(({ type }) => type)).toEqual([]);
  });

  it("resolve references with list keys, merge keys, defaults and enums", () => {
    const containers = builtinSchema("io.k8s.api.apps.v1.Deployment")?.properties?.["spec"]?.properties?.["template"]
      ?.properties?.["spec"]?.properties?.["containers"];
    expect(containers).toMatchObject({
      type: "array",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-patch-merge-key": "name",
    });
    const container = containers?.items?.properties;
    expect(container?.["imagePullPolicy"]?.enum).toEqual(["Always", "IfNotPresent", "Never"]);
    expect(container?.["ports"]?.items?.properties?.["protocol"]?.default).toBe("TCP");
    expect(container?.["resources"]?.properties?.["limits"]?.additionalProperties).toMatchObject({
      format: "quantity",
    });
    expect(container?.["livenessProbe"]?.properties?.["httpGet"]?.properties?.["port"]).toMatchObject({
      "x-kubernetes-int-or-string": true,
    });
  });

  it("have recursive types inside themselves", () => {
    const schema = builtinSchema("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
    expect(schema?.properties?.["not"]).toBe(schema);
    expect(schema?.properties?.["properties"]?.additionalProperties).toBe(schema);
  });
});

// As a real server publishes them: a selector is one value, and a volume's source is not, although both embed a LocalObjectReference.
it.each([
  ["ConfigMapKeySelector", "atomic"],
  ["LocalObjectReference", "atomic"],
  ["ConfigMapVolumeSource", undefined],
  ["ConfigMapEnvSource", undefined],
  ["SecretProjection", undefined],
])("%s has the map type %s", (type, mapType) => {
  expect(builtinSchema(`io.k8s.api.core.v1.${type}`)?.["x-kubernetes-map-type"]).toBe(mapType);
});
