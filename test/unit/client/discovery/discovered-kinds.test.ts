import { describe, expect, it } from "vitest";
import { isKindNotServed } from "../../../../src/client/calls/api-caller.ts";
import { until } from "../../runtime/until.ts";
import { ScriptedServer, type Exchange } from "../../scripted-server.ts";

/** Returns the response of a server to a path that it does not serve. */
function notFound({ response }: Exchange): void {
  response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n");
}

/** Starts a server of the group example.com with versions of these kinds, which may change. */
async function start(versions: Record<string, string[]>, preferred: string) {
  const server = await ScriptedServer.start((exchange: Exchange) => {
    const [, , group, version, plural] = exchange.url.pathname.split("/");
    if (group !== "example.com" || (version && !versions[version])) return notFound(exchange);
    if (!version) {
      const all = Object.keys(versions).map((each) => ({ groupVersion: `example.com/${each}`, version: each }));
      return exchange.json({
        kind: "APIGroup",
        versions: all,
        preferredVersion: all.find((each) => each.version === preferred),
      });
    }
    const resources = versions[version]!.map((kind) => ({ name: `${kind.toLowerCase()}s`, kind, namespaced: true }));
    if (!plural) return exchange.json({ kind: "APIResourceList", resources });
    if (!resources.some(({ name }) => name === plural)) return notFound(exchange);
    exchange.json({ metadata: {}, items: [] });
  });
  return { server, client: server.client(), asked: () => server.exchanges.map(({ url }) => url.pathname) };
}

describe("a kind known by its name", () => {
  it("has the version that the server prefers", async () => {
    const { client, asked } = await start({ v1beta1: ["Thing"], v1: ["Thing"] }, "v1");
    const kind = await client.preferredKindFor("example.com", "Thing");
    expect(kind.version).toBe("v1");
    expect(await client.preferredKindFor("example.com", "Thing")).toBe(kind);
    expect(asked()).toEqual(["/apis/example.com", "/apis/example.com/v1"]);
  });

  it("has another version if the preferred one lacks it", async () => {
    const { client } = await start({ v1: ["Other"], v1beta1: ["Thing"] }, "v1");
    expect((await client.preferredKindFor("example.com", "Thing")).version).toBe("v1beta1");
  });

  it("of the core group has the version of that group", async () => {
    const server = await ScriptedServer.start((exchange) =>
      exchange.json({ resources: [{ name: "pods", kind: "Pod", namespaced: true }] }),
    );
    expect(await server.client().preferredKindFor("", "Pod")).toMatchObject({ group: "", version: "v1" });
    expect(server.exchanges.map(({ url }) => url.pathname)).toEqual(["/api/v1"]);
  });

  it("is found once its CRD is installed", async () => {
    const versions: Record<string, string[]> = { v1: [] };
    const { client } = await start(versions, "v1");
    await expect(client.kindFor("example.com/v1", "Thing")).rejects.toSatisfy(isKindNotServed);
    await expect(client.preferredKindFor("example.com", "Thing")).rejects.toSatisfy(isKindNotServed);
    await expect(client.preferredKindFor("nobody.example.com", "Thing")).rejects.toSatisfy(isKindNotServed);
    versions["v1"] = ["Thing"];
    expect((await client.kindFor("example.com/v1", "Thing")).plural).toBe("things");
    expect((await client.preferredKindFor("example.com", "Thing")).plural).toBe("things");
  });

  it("is discovered again after a NotFound", async () => {
    const versions: Record<string, string[]> = { v1: ["Thing"], v1beta1: ["Thing"] };
    const { client } = await start(versions, "v1beta1");
    const old = await client.preferredKindFor("example.com", "Thing");
    await client.list(old);
    delete versions["v1beta1"];
    await expect(client.list(old)).rejects.toSatisfy(isKindNotServed);
    const again = await client.preferredKindFor("example.com", "Thing");
    expect(again.version).toBe("v1");
    expect((await client.list(again)).items).toEqual([]);
  });

  it("is discovered once for all calls, also for other kinds of the version", async () => {
    const { client, asked } = await start({ v1: ["Thing", "Other"] }, "v1");
    const [thing, same, other] = await Promise.all([
      client.kindFor("example.com/v1", "Thing"),
      client.preferredKindFor("example.com", "Thing"),
      client.kindFor("example.com/v1", "Other"),
      client.preferredKindFor("example.com", "Other"),
    ]);
    expect(thing).toMatchObject({ kind: "Thing", plural: "things", scope: "Namespaced", version: "v1" });
    expect([same, other.kind]).toEqual([thing, "Other"]);
    expect(await client.kindFor("example.com/v1", "Thing")).toBe(thing);
    expect(asked().toSorted()).toEqual(["/apis/example.com", "/apis/example.com/v1"]);
  });

  it("fails with its own name, and is discovered again afterwards", async () => {
    const versions: Record<string, string[]> = {};
    const { client, asked } = await start(versions, "v1");
    const failures = await Promise.allSettled(["Thing", "Other"].map((kind) => client.kindFor("example.com/v1", kind)));
    expect(failures.map((each) => (each as PromiseRejectedResult).reason.message)).toEqual([
      expect.stringContaining("Thing"),
      expect.stringContaining("Other"),
    ]);
    expect(asked()).toEqual(["/apis/example.com/v1"]);
    versions["v1"] = ["Thing"];
    expect((await client.kindFor("example.com/v1", "Thing")).kind).toBe("Thing");
  });

  it("is still discovered for other callers if one of them aborts", async () => {
    const held: Exchange[] = [];
    const server = await ScriptedServer.start((exchange) => void held.push(exchange));
    const client = server.client();
    const stop = new AbortController();
    const reason = new Error("enough");
    const first = client.kindFor("example.com/v1", "Thing", { signal: stop.signal });
    const second = client.kindFor("example.com/v1", "Thing");
    await until("the request", () => held.length === 1);
    stop.abort(reason);
    await expect(first).rejects.toBe(reason);
    held[0]!.json({ resources: [{ name: "things", kind: "Thing", namespaced: true }] });
    expect((await second).plural).toBe("things");
    expect(held).toHaveLength(1);
  });

  it("is no longer discovered if all callers abort, and is discovered again for the next", async () => {
    const held: Exchange[] = [];
    const server = await ScriptedServer.start((exchange) => void held.push(exchange));
    const client = server.client();
    const stop = new AbortController();
    const first = client.kindFor("example.com/v1", "Thing", { signal: stop.signal });
    await until("the request", () => held.length === 1);
    stop.abort();
    await expect(first).rejects.toBe(stop.signal.reason);
    const second = client.kindFor("example.com/v1", "Thing");
    await until("another request", () => held.length === 2);
    await until("the end of the first", () => held[0]!.response.destroyed);
    held[1]!.json({ resources: [{ name: "things", kind: "Thing", namespaced: true }] });
    expect((await second).plural).toBe("things");
  });
});
