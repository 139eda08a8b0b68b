import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import type { CrdVersion, CustomResourceDefinition } from "../../../../src/apimachinery/crd/crd-types.ts";

/** A CRD with one field in its spec, or with this spec. */
export function boatCrd(spec: JsonSchema, more: Partial<CrdVersion> = {}): CustomResourceDefinition {
  const schema: JsonSchema = { type: "object", properties: { spec } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boats.sea.example.com" },
    spec: {
      group: "sea.example.com",
      names: { plural: "boats", kind: "Boat", shortNames: ["bt"], categories: ["all"] },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
    },
  };
}
