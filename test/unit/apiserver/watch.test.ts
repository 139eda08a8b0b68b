import { describe, expect, it } from "vitest";
import { asker, merge } from "./ask.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const map = (name: string, labels?: Record<string, string>) => ({ metadata: { name, ...(labels && { labels }) } });

describe("watch", () => {
  it("sends the current objects, then every change in order", async () => {
    const api = asker();
    await api.ask("POST", maps, map("a"));
    const watch = await api.watch(`${maps}?watch=true`);
    await api.ask("PATCH", `${maps}/a`, { data: { x: "1" } }, merge);
    const gone = await api.ask("DELETE", `${maps}/a`);
    expect(gone.status).toBe(200);
    const events = [await watch.next(), await watch.next(), await watch.next()];
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  it("continues after a version without a gap", async () => {
    const api = asker();
    const first = await api.ask("POST", maps, map("a"));
    await api.ask("POST", maps, map("b"));
    const watch = await api.watch(`${maps}?watch=true&resourceVersion=${first.body.metadata.resourceVersion}`);
    await api.ask("POST", maps, map("c"));
    expect([(await watch.next()).object.metadata.name, (await watch.next()).object.metadata.name]).toEqual(["b", "c"]);
  });

  it("marks the end of the initial events", async () => {
    const api = asker();
    await api.ask("POST", maps, map("a"));
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const watch = await api.watch(`${maps}?${query}`);
    expect((await watch.next()).type).toBe("ADDED");
    expect(await watch.next()).toMatchObject({
      type: "BOOKMARK",
      object: { kind: "ConfigMap", metadata: { annotations: { "k8s.io/initial-events-end": "true" } } },
    });
  });

  it("sends an initial state of any length, and ends for a client that does not read changes", async () => {
    const api = asker();
    const count = 20_100;
    for (let index = 0; index < count; index++) await api.ask("POST", maps, map(`m-${index}`));
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const watch = await api.watch(`${maps}?${query}`);
    for (let index = 0; index < count; index++) expect((await watch.next()).type).toBe("ADDED");
    expect(await watch.next()).toMatchObject({ type: "BOOKMARK" });
    for (let index = 0; index < count; index++)
      await api.ask("PATCH", `${maps}/m-${index}`, { data: { x: "1" } }, merge);
    let changes = 0;
    while (await watch.next()) changes++;
    expect(changes).toBe(20_000);
  });

  it("sends an object that stops matching as deleted, with its old content", async () => {
    const api = asker();
    await api.ask("POST", maps, map("a", { app: "x" }));
    const watch = await api.watch(`${maps}?watch=true&labelSelector=app%3Dx`);
    await api.ask("PATCH", `${maps}/a`, { metadata: { labels: { app: "y" } } }, merge);
    const [added, deleted] = [await watch.next(), await watch.next()];
    expect([added.type, deleted.type, deleted.object.metadata.labels.app]).toEqual(["ADDED", "DELETED", "x"]);
    expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(
      Number(added.object.metadata.resourceVersion),
    );
  });

  it("refuses a version that is too old", async () => {
    const api = asker({ historySize: 10 });
    for (let i = 0; i < 20; i++) await api.ask("PUT", "/api/v1/namespaces/default", namespaceWith(i));
    const watch = await api.watch("/api/v1/namespaces?watch=true&resourceVersion=2");
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect(await watch.next()).toBeUndefined();
  });

  it("serves pages of one state", async () => {
    const api = asker();
    for (const name of ["a", "b", "c"]) await api.ask("POST", maps, map(name));
    const first = await api.ask("GET", `${maps}?limit=2`);
    expect(first.body.metadata.remainingItemCount).toBe(1);
    await api.ask("POST", maps, map("bb"));
    await api.ask("DELETE", `${maps}/c`);
    const next = await api.ask("GET", `${maps}?limit=2&continue=${first.body.metadata.continue}`);
    expect(next.body.items.map(({ metadata }: any) => metadata.name)).toEqual(["c"]);
    expect(next.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });
});

function namespaceWith(number: number): object {
  return {
    metadata: { name: "default", annotations: { number: String(number) } },
    spec: { finalizers: ["kubernetes"] },
  };
}
