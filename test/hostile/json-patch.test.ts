import { expect, it } from "vitest";
import { describeServers, jsonPatch } from "./server.ts";

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
