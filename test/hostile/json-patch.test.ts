import { expect, it } from "vitest";
import { installKind } from "./install-kind.ts";
import { describeEmbedded, describeServers, jsonPatch } from "./server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

describeServers("JSON patches that copy", (server) => {
  it("refuses copies that double the object each time", async () => {
    await server.ask("POST", maps, { metadata: { name: "doubling" }, data: { a: "x" } });
    const copies = Array.from({ length: 40 }, (_, index) => ({ op: "copy", from: "/data", path: `/data/c${index}` }));
    const { status, body } = await server.ask("PATCH", `${maps}/doubling`, copies, jsonPatch);
    expect({ status, message: body.message }).toEqual(rejected);
  });

  it("refuses copies that add more than 3 MiB together", async () => {
    await server.ask("POST", maps, { metadata: { name: "many" }, data: { a: "x".repeat(100_000) } });
    const copy = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ op: "copy", from: "/data/a", path: `/data/c${index}` }));
    expect(await server.ask("PATCH", `${maps}/many`, copy(9_000), jsonPatch)).toMatchObject({ status: 422 });
    const { status, body } = await server.ask("PATCH", `${maps}/many`, copy(32), jsonPatch);
    expect({ status, message: body.message }).toEqual(rejected);
    expect(await server.ask("PATCH", `${maps}/many`, copy(5), jsonPatch)).toMatchObject({ status: 200 });
  });
});

const rejected = { status: 422, message: "the server rejected our request due to an error in our request" };

describeEmbedded("JSON patches that deepen", [], (server) => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
  const end = (levels: number): string => `/spec${"/a".repeat(levels)}`;
  const add = { op: "add", path: "/spec", value: nested(300) };
  const doublings = (op: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ op, from: "/spec", path: end(300 * 2 ** at) }));
  const part = end(299).slice("/spec".length);
  const joints = Array.from({ length: 100 }, (_, at) => ({
    op: "move",
    from: `/s${at}`,
    path: `/s${at + 1}${part}/a`,
  }));

  it.each([
    ["copies that double the levels", [add, ...doublings("copy", 10)]],
    ["copies that double the levels once too often", [add, ...doublings("copy", 2)]],
    ["moves", [...Array.from({ length: 101 }, (_, at) => ({ ...add, path: `/s${at}` })), ...joints]],
  ])("are rejected with %s", async (_, operations) => {
    const spec = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const plural = `d${operations.length}s`;
    const anythings = await installKind(server, { plural, kind: `D${operations.length}` }, { spec });
    const object = {
      apiVersion: "hostile.example.com/v1",
      kind: `D${operations.length}`,
      metadata: { name: "d" },
      spec: {},
    };
    expect((await server.ask("POST", anythings, object)).status).toBe(201);
    const { status, body } = await server.ask("PATCH", `${anythings}/d`, operations, jsonPatch);
    const message = "Request entity too large: the patch makes more than 1000 levels";
    expect({ status, message: body.message }).toEqual({ status: 413, message });
    expect((await server.ask("PATCH", `${anythings}/d`, [add, ...doublings("copy", 1)], jsonPatch)).status).toBe(200);
  });
});
