import { describe, expect, it } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import type { Client } from "../../../src/client/client.ts";
import { mergePatch, strategicMergePatch } from "../../../src/client/patches.ts";
import { dryRunClient, withFieldOwner, withFieldValidation } from "../../../src/client/with-write-options.ts";
import { ScriptedServer } from "../scripted-server.ts";

const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const key = { namespace: "n", name: "a" };
const object = { metadata: { ...key, resourceVersion: "5" } };
const patch = mergePatch({ spec: { size: 1 } });

async function start() {
  const server = await ScriptedServer.start((exchange) => exchange.json({ metadata: key }));
  return { client: server.client(), last: () => server.exchanges.at(-1)! };
}

const writes: [string, (client: Client) => Promise<unknown>][] = [
  ["create", (c) => c.create(Thing, object)],
  ["update", (c) => c.update(Thing, object)],
  ["patch", (c) => c.patch(Thing, key, patch)],
  ["status.update", (c) => c.status.update(Thing, object)],
  ["status.patch", (c) => c.status.patch(Thing, key, patch)],
  ["subResource.create", (c) => c.subResource("x").create(Thing, key, {})],
];

describe("a client with options for all writes", () => {
  it.each(writes)("passes them to %s", async (_name, write) => {
    const { client, last } = await start();
    await write(withFieldOwner(client, "me"));
    expect(last().query).toEqual({ fieldManager: "me" });
    await write(withFieldValidation(client, "Strict"));
    expect(last().query).toEqual({ fieldValidation: "Strict" });
    await write(dryRunClient(withFieldOwner(client, "me")));
    expect(last().query).toEqual({ fieldManager: "me", dryRun: "All" });
  });

  it("does not change reads, and gives precedence to the options of a call", async () => {
    const { client, last } = await start();
    const mine = withFieldOwner(client, "me");
    await mine.get(Thing, key, { resourceVersion: "0" });
    expect(last().query).toEqual({ resourceVersion: "0" });
    await mine.apply(Thing, { metadata: key }, { fieldOwner: "other" });
    expect(last().query).toEqual({ fieldManager: "other" });
    await dryRunClient(client).update(Thing, object, { dryRun: false });
    expect(last().query).toEqual({});
  });

  it("deletes nothing in a dry run", async () => {
    const { client, last } = await start();
    await dryRunClient(client).delete(Thing, key);
    expect(JSON.parse(last().body)).toMatchObject({ dryRun: ["All"] });
    await dryRunClient(client).deleteAllOf(Thing, { namespace: "n" });
    expect(JSON.parse(last().body)).toMatchObject({ dryRun: ["All"] });
  });
});

it("sends the type of a strategic merge patch", async () => {
  const { client, last } = await start();
  await client.patch(Thing, key, strategicMergePatch({ spec: {} }));
  expect(last().request.headers["content-type"]).toBe("application/strategic-merge-patch+json");
});
