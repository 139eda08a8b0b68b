import { expect, it } from "vitest";
import { installKind } from "./install-kind.ts";
import { describeEmbedded, jsonPatch, mergePatch } from "./server.ts";

const integer = { type: "integer", default: 1 };
const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, integer]));
const refused = { code: 413, message: expect.stringContaining("defaults of the schema of") };

describeEmbedded("defaults", ["--simulate", "off"], (server) => {
  it("of 20,000 items with 1,000 fields each are rejected", async () => {
    const items = { type: "array", items: { type: "object", properties: fields } };
    const path = await installKind(server, { plural: "wides", kind: "Wide" }, { items });
    const wide = (name: string, count: number) => ({
      apiVersion: "hostile.example.com/v1",
      kind: "Wide",
      metadata: { name },
      items: Array.from({ length: count }, () => ({})),
    });
    expect((await server.ask("POST", path, wide("few", 50))).status).toBe(201);
    expect((await server.ask("POST", path, wide("many", 20_000))).body).toMatchObject(refused);
    expect((await server.ask("POST", `${path}?dryRun=All`, wide("many", 20_000))).body).toMatchObject(refused);
    expect((await server.ask("PATCH", `${path}/few`, wide("few", 20_000), mergePatch)).body).toMatchObject(refused);
  });

  it("of 100 kB for each of 20,000 items are rejected", async () => {
    const text = { type: "string", default: "x".repeat(100_000) };
    const items = { type: "array", items: { type: "object", properties: { text } } };
    const map = { type: "object", additionalProperties: text };
    const path = await installKind(server, { plural: "texts", kind: "Text" }, { items, map });
    const type = { apiVersion: "hostile.example.com/v1", kind: "Text", metadata: { name: "t" } };
    const many = Array.from({ length: 20_000 }, () => ({}));
    expect((await server.ask("POST", path, { ...type, items: many })).body).toMatchObject(refused);
    const nulls = Object.fromEntries(many.map((_, index) => [`key${index}`, null]));
    expect((await server.ask("POST", path, { ...type, map: nulls })).body).toMatchObject(refused);
  });

  it("that a CRD gets later are cut short in reads, and the object can still be deleted", async () => {
    const plain = { items: { type: "array", items: { type: "object" } } };
    const path = await installKind(server, { plural: "laters", kind: "Later" }, plain);
    const type = { apiVersion: "hostile.example.com/v1", kind: "Later", metadata: { name: "l" } };
    const items = Array.from({ length: 20_000 }, () => ({}));
    expect((await server.ask("POST", path, { ...type, items })).status).toBe(201);
    const crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/laters.hostile.example.com";
    const schema = {
      type: "object",
      properties: { items: { type: "array", items: { type: "object", properties: fields } } },
    };
    const patch = [{ op: "replace", path: "/spec/versions/0/schema/openAPIV3Schema", value: schema }];
    expect((await server.ask("PATCH", crd, patch, jsonPatch)).status).toBe(200);
    const first = async () => (await server.ask("GET", `${path}/l`)).body.items[0].field0;
    await expect.poll(first).toBe(1);
    expect((await server.ask("DELETE", `${path}/l`)).status).toBe(200);
  });
});
