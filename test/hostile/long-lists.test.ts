import { expect, it } from "vitest";
import { installKind } from "./install-kind.ts";
import { applyPatch, describeServers, mergePatch, strategicPatch, type Server } from "./server.ts";

const core = "/api/v1/namespaces/default";

describeServers("long lists", (server) => {
  // A real server compares each owner and each finalizer with all others, for half a minute with as many.
  const scale = server.name === "real" ? 0.2 : 1;

  it("merges 5,000 owner references into 5,000 others, and deletes most of them by directives", async () => {
    const count = 5_000 * scale;
    const references = (from: number) => numbers(count).map((index) => reference(from + index));
    const path = `${core}/configmaps`;
    await server.ask("DELETE", `${path}/owned`);
    await succeed(server, "POST", path, { metadata: { name: "owned", ownerReferences: references(0) } });
    const more = { metadata: { ownerReferences: references(count / 2).toReversed() } };
    const merged = await succeed(server, "PATCH", `${path}/owned`, more, strategicPatch);
    expect(merged.body.metadata.ownerReferences).toHaveLength(1.5 * count);
    const directives = numbers(1.4 * count).map((n) => ({ $patch: "delete", uid: `uid-${n}` }));
    const less = { metadata: { ownerReferences: directives } };
    const { body } = await succeed(server, "PATCH", `${path}/owned`, less, strategicPatch);
    expect(body.metadata.ownerReferences).toHaveLength(0.1 * count);
  });

  it("merges 10,000 finalizers into 10,000 others", async () => {
    const count = 10_000 * scale;
    const finalizers = (from: number) => numbers(count).map((index) => `example.com/f${from + index}`);
    const metadata = { name: "final", finalizers: finalizers(0) };
    await succeed(server, "POST", `${core}/configmaps`, { metadata });
    const patch = { metadata: { finalizers: finalizers(count / 2) } };
    const { body } = await succeed(server, "PATCH", `${core}/configmaps/final`, patch, strategicPatch);
    expect(body.metadata.finalizers).toHaveLength(1.5 * count);
    await server.ask("DELETE", `${core}/configmaps/final`);
    const less = { metadata: { finalizers: finalizers(count / 2 - 1) } };
    await succeed(server, "PATCH", `${core}/configmaps/final`, less, mergePatch);
  });

  it("updates and applies a Pod with thousands of variables", async () => {
    const pod = (name: string, value: string) => {
      const env = numbers(5_000).map((index) => ({ name: `V${index}`, value }));
      return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name },
        spec: { containers: [{ name: "c", image: "i", env }] },
      };
    };
    await succeed(server, "POST", `${core}/pods`, pod("created", "1"));
    const apply = `${core}/pods/applied?fieldManager=f`;
    await succeed(server, "PATCH", apply, JSON.stringify(pod("applied", "1")), applyPatch);
    await succeed(server, "PATCH", apply, JSON.stringify(pod("applied", "1")), applyPatch);
  });

  it("validates and applies long list maps and sets of a custom kind", async () => {
    const path = await install(server);
    const long = (name: string, value: number) => ({
      apiVersion: "hostile.example.com/v1",
      kind: "Long",
      metadata: { name },
      spec: {
        map: numbers(3_000).map((key) => ({ key, value })),
        set: numbers(5_000).map((index) => `item-${index}`),
      },
    });
    await succeed(server, "POST", path, long("a", 1));
    const { map, set } = long("a", 2).spec;
    const spec = { map: map.toReversed(), set: set.toReversed() };
    await succeed(server, "PATCH", `${path}/a`, { spec }, mergePatch);
    const apply = `${path}/b?fieldManager=f&force=true`;
    await succeed(server, "PATCH", apply, JSON.stringify(long("b", 1)), applyPatch);
    await succeed(server, "PATCH", apply, JSON.stringify({ ...long("b", 2), spec }), applyPatch);
    const repeated = { spec: { set: numbers(5_000).map(() => "same") } };
    const { body } = await server.ask("PATCH", `${path}/a`, repeated, mergePatch);
    expect(body).toMatchObject({ code: 422 });
  });
});

/** Sends a request and expects success; the watchdog of the suite measures the time. */
async function succeed(server: Server, ...request: Parameters<Server["ask"]>): ReturnType<Server["ask"]> {
  const reply = await server.ask(...request);
  expect(reply.body.message ?? "", `${request[0]} ${request[1]}`).toBe("");
  return reply;
}

function reference(index: number): object {
  return { apiVersion: "v1", kind: "ConfigMap", name: `c${index}`, uid: `uid-${index}` };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function install(server: Server): Promise<string> {
  const item = {
    type: "object",
    required: ["key"],
    properties: { key: { type: "integer" }, value: { type: "integer" } },
  };
  const map = { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"], items: item };
  const set = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
  const spec = { type: "object", properties: { map, set } };
  return installKind(server, { plural: "longs", kind: "Long" }, { spec });
}
