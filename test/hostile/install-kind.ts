import { expect } from "vitest";
import type { Server } from "./server.ts";

/** The schema of a list of items with a number and a text, merged by the number. */
export const keyedItems: object = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["key"],
  items: {
    type: "object",
    required: ["key"],
    properties: { key: { type: "integer" }, value: { type: "string" } },
  },
};

/** Creates the CRD of a namespaced kind of `hostile.example.com/v1`, and returns the path of its objects. */
export async function installKind(
  server: Server,
  { plural, kind }: { readonly plural: string; readonly kind: string },
  properties: object,
): Promise<string> {
  const schema = { openAPIV3Schema: { type: "object", properties } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.hostile.example.com` },
    spec: {
      group: "hostile.example.com",
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  const { status } = await server.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  expect(status).toBe(201);
  const path = `/apis/hostile.example.com/v1/namespaces/default/${plural}`;
  await expect.poll(async () => (await server.ask("GET", path)).status).toBe(200);
  return path;
}
