import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import { Informer, type InformerHandler } from "../../../../src/runtime/cache/informer.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { ScriptedServer } from "../../scripted-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";
import { event, initialEnd, stored } from "../watch-events.ts";

const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });

const end = initialEnd(9);
const expired = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } };

function version({ metadata }: KubeObject): string {
  return `${metadata.name}@${metadata.resourceVersion}`;
}

function recorder(seen: string[]): InformerHandler<KubeObject> {
  return {
    add: (object, initial) => seen.push(`add ${version(object)}${initial ? " initial" : ""}`),
    update: (old, object) => seen.push(`update ${version(old)} to ${version(object)}`),
    delete: (object, unknown) => seen.push(`delete ${version(object)}${unknown ? " unknown" : ""}`),
  };
}

async function start(...initial: object[][]) {
  let opened = 0;
  const server = await ScriptedServer.start((exchange) => {
    const events = initial[opened++];
    if (events) exchange.events(...events);
    else exchange.refuse(410, "Expired");
  });
  const clock = manualClock(new Date(0));
  const informer = new Informer({
    client: server.client(),
    kind: Thing,
    scopes: [{ namespace: undefined, labels: undefined, fields: undefined }],
    transform: (object) => object,
    log: discardLogger,
    clock,
    resyncMs: 60_000,
  });
  const { stop } = runInTest((signal) => informer.run(signal));
  return { server, clock, informer, stop };
}

/** Starts an informer that has an initial state; `seen` has what a handler gets after it. */
async function synced(...initial: object[][]) {
  const started = await start(...initial);
  expect(await started.informer.waitForSync(started.stop.signal)).toBe(true);
  const seen: string[] = [];
  await started.informer.addHandler(recorder(seen));
  seen.length = 0;
  return { ...started, seen };
}

describe("an informer", () => {
  it("distinguishes initial from later additions, and passes the old state with an update", async () => {
    const { server, informer, stop } = await start([event("ADDED", "a", 1), end]);
    const seen: string[] = [];
    await informer.addHandler(recorder(seen));
    expect(await informer.waitForSync(stop.signal)).toBe(true);
    server.exchanges[0]!.events(event("ADDED", "b", 10), event("MODIFIED", "a", 11), event("DELETED", "b", 12));
    await until("four events", () => seen.length === 4);
    expect(seen).toEqual(["add a@1 initial", "add b@10", "update a@1 to a@11", "delete b@12"]);
  });

  it("restarts after an incomplete initial list, without duplicates or objects of the first list only", async () => {
    const { server, clock, informer, stop } = await start(
      [event("ADDED", "a", 1), event("ADDED", "b", 2)],
      [event("ADDED", "a", 1), event("ADDED", "c", 3), end],
    );
    const seen: string[] = [];
    await informer.addHandler(recorder(seen));
    await until("the first two", () => seen.length === 2);
    expect(informer.hasSynced).toBe(false);
    server.exchanges[0]!.cut();
    await until("the second list", async () => {
      await clock.advance(1000);
      return server.exchanges.length === 2;
    });
    expect(await informer.waitForSync(stop.signal)).toBe(true);
    expect(seen).toEqual(["add a@1 initial", "add b@2 initial", "add c@3 initial", "delete b@2 unknown"]);
    expect([...informer.store.keys()]).toEqual(["n/a", "n/c"]);
  });

  it("passes each object once and in order to a late handler, despite concurrent changes", async () => {
    const objects = Array.from({ length: 100 }, (_, index) => event("ADDED", `o${index}`, index + 1));
    const { server, informer } = await synced([...objects, end]);
    const seen: string[] = [];
    const slow = recorder(seen);
    const added = informer.addHandler({
      ...slow,
      add(object, initial) {
        const enough = performance.now() + 1;
        while (performance.now() < enough);
        slow.add(object, initial);
      },
    });
    server.exchanges[0]!.events(
      event("MODIFIED", "o99", 200),
      event("DELETED", "o98", 201),
      event("ADDED", "o100", 202),
    );
    await Promise.all([added, until("the last change", () => seen.some((text) => text.startsWith("add o100@")))]);
    const eventsOf = (name: string): string => seen.filter((text) => text.includes(` ${name}@`)).join(", ");
    expect(["add o99@200 initial", "add o99@100 initial, update o99@100 to o99@200"]).toContain(eventsOf("o99"));
    expect(["", "add o98@99 initial, delete o98@201"]).toContain(eventsOf("o98"));
    expect(eventsOf("o100")).toBe("add o100@202");
    for (let index = 0; index < 98; index++) expect(eventsOf(`o${index}`)).toBe(`add o${index}@${index + 1} initial`);
  });

  it("updates the store before it calls a handler", async () => {
    const { server, informer } = await synced([end]);
    const sizes: number[] = [];
    await informer.addHandler({
      add: () => sizes.push(informer.store.size),
      update: () => undefined,
      delete: () => sizes.push(informer.store.size),
    });
    server.exchanges[0]!.events(event("ADDED", "a", 10), event("DELETED", "a", 11));
    await until("both", () => sizes.length === 2);
    expect(sizes).toEqual([1, 0]);
  });

  it("reports missed changes after a relist: deletions with the last known state, and no unchanged objects", async () => {
    const { server, clock, seen } = await synced(
      [event("ADDED", "same", 1), event("ADDED", "changed", 2), event("ADDED", "gone", 3), end],
      [expired],
      [event("ADDED", "same", 1), event("ADDED", "changed", 8), event("ADDED", "new", 9), end],
    );
    server.exchanges[0]!.end();
    await until("a new state", async () => {
      await clock.advance(500);
      return seen.length >= 3;
    });
    expect(seen).toEqual(["update changed@2 to changed@8", "add new@9", "delete gone@3 unknown"]);
  });

  it("reports a written object that was deleted before the watch reported it", async () => {
    const { server, clock, informer, seen } = await synced(
      [event("ADDED", "same", 1), end],
      [expired],
      [event("ADDED", "same", 1), event("ADDED", "kept", 16), event("ADDED", "theirs", 18), initialEnd(20)],
    );
    const rememberWrite = (name: string, version: number): void => informer.remember(stored(name, version));
    rememberWrite("lost", 15);
    rememberWrite("kept", 16);
    rememberWrite("young", 21);
    // Past the time for which reads return pending writes.
    await clock.advance(11_000);
    server.exchanges[0]!.end();
    await until("a new state", async () => {
      await clock.advance(500);
      return seen.length >= 3;
    });
    expect(seen).toEqual(["add kept@16", "add theirs@18", "delete lost@15 unknown"]);
    // A response that was delayed for the same time.
    rememberWrite("late", 19);
    expect(seen.slice(3)).toEqual(["delete late@19 unknown"]);
    server.exchanges[2]!.events(event("ADDED", "young", 21), event("DELETED", "young", 22));
    await until("the deletion of the young object", () => seen.length >= 6);
    expect(seen.slice(4)).toEqual(["add young@21", "delete young@22"]);
  });

  it("reads its own write that is newer than the initial state, which was under way", async () => {
    const { server, informer, stop } = await start([event("ADDED", "a", 1)]);
    await until("the watch", () => server.exchanges.length === 1);
    informer.remember(stored("mine", 10));
    informer.remember(stored("deleted", 8));
    server.exchanges[0]!.events(end);
    await informer.waitForSync(stop.signal);
    expect(informer.writes.get("n/mine")?.metadata.resourceVersion).toBe("10");
    expect(informer.writes.get("n/deleted")).toBeUndefined();
  });

  it("reads a newer state during a relist, not its own older write", async () => {
    const { server, clock, informer } = await synced(
      [event("ADDED", "a", 1), end],
      [expired],
      // The end of the state comes later than its objects.
      [event("ADDED", "a", 12)],
    );
    informer.remember(stored("a", 11));
    expect(informer.writes.get("n/a")?.metadata.resourceVersion).toBe("11");
    const read: unknown[] = [];
    const handler = recorder([]);
    await informer.addHandler({
      ...handler,
      update: () => read.push((informer.writes.get("n/a") ?? informer.store.get("n/a"))?.metadata.resourceVersion),
    });
    server.exchanges[0]!.end();
    await until("the update", async () => {
      await clock.advance(500);
      return read.length > 0;
    });
    expect(read).toEqual(["12"]);
  });

  it("replays the store at each resync without a request", async () => {
    const { server, clock, seen } = await synced([event("ADDED", "a", 1), end]);
    await clock.advance(120_000);
    expect(seen).toEqual(["update a@1 to a@1", "update a@1 to a@1"]);
    expect(server.requests).toHaveLength(1);
  });

  it("continues if a handler throws, and calls the other handlers", async () => {
    const { server, informer } = await synced([end]);
    const seen: string[] = [];
    const throwError = (): never => {
      throw new Error("broken handler");
    };
    await informer.addHandler({ add: throwError, update: throwError, delete: throwError });
    await informer.addHandler(recorder(seen));
    server.exchanges[0]!.events(event("ADDED", "a", 10), event("MODIFIED", "a", 11));
    await until("both", () => seen.length === 2);
  });

  it("stops calling a handler after its removal", async () => {
    const { server, informer } = await synced([end]);
    const [kept, removed]: [string[], string[]] = [[], []];
    const handler = recorder(removed);
    await informer.addHandler(handler);
    await informer.addHandler(recorder(kept));
    informer.removeHandler(handler);
    server.exchanges[0]!.events(event("ADDED", "a", 10));
    await until("the event", () => kept.length === 1);
    expect(removed).toEqual([]);
  });

  it("reports that it is not in sync if the wait is aborted", async () => {
    const { informer } = await start([event("ADDED", "a", 1)]);
    const giveUp = new AbortController();
    const waiting = informer.waitForSync(giveUp.signal);
    giveUp.abort();
    expect(await waiting).toBe(false);
  });

  it("stops passing the existing objects to a handler after its removal", async () => {
    const { informer, stop } = await start([event("ADDED", "a", 1), event("ADDED", "b", 2), end]);
    expect(await informer.waitForSync(stop.signal)).toBe(true);
    const seen: string[] = [];
    const handler: InformerHandler<KubeObject> = {
      ...recorder(seen),
      add(object) {
        seen.push(version(object));
        informer.removeHandler(handler);
      },
    };
    await informer.addHandler(handler);
    expect(seen).toEqual(["a@1"]);
  });

  it.each([
    // The response has the labels, so that the selector can be applied to it.
    [{ labels: "color=red", fields: undefined }, ["a@12", "b@12"]],
    // Of fields, only the server knows which it compares with what.
    [{ labels: undefined, fields: "spec.color=red" }, ["a@12", "c@12"]],
    [{ labels: "color=red", fields: "spec.color=red" }, ["a@12"]],
  ])("reports its own writes only if they match its selection %j", async (selection, expected) => {
    const server = await ScriptedServer.start((exchange) =>
      exchange.events(event("ADDED", "a", 1), event("ADDED", "c", 1), end),
    );
    const scope = { namespace: undefined, ...selection };
    const options = {
      client: server.client(),
      kind: Thing,
      log: discardLogger,
      clock: manualClock(new Date(0)),
      resyncMs: 0,
    };
    const informer = new Informer({ ...options, scopes: [scope] });
    const { stop } = runInTest((signal) => informer.run(signal));
    expect(await informer.waitForSync(stop.signal)).toBe(true);
    const writtenObject = (name: string, color: string) => ({
      metadata: { namespace: "n", name, resourceVersion: "12", labels: { color } },
    });
    informer.remember(writtenObject("a", "red"));
    informer.remember(writtenObject("b", "red"));
    informer.remember(writtenObject("c", "red"));
    informer.remember(writtenObject("c", "blue"));
    expect([...informer.writes.values()].map(version)).toEqual(expected);
  });
});
