import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import { Reflector } from "../../../../src/runtime/cache/reflector.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { ScriptedServer, type Answer, type Exchange } from "../../scripted-server.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";
import { bookmark, event, initialEnd, stored } from "../watch-events.ts";

const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });

function list(version: number, items: KubeObject[], token?: string): object {
  return { kind: "ThingList", metadata: { resourceVersion: String(version), continue: token }, items };
}

const tooLarge = {
  kind: "Status",
  status: "Failure",
  reason: "Timeout",
  code: 504,
  details: { causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }] },
};

/**
 * Starts a reflector with a server that sends the n-th response to the n-th request, and keeps later watches open. It has
 * reached the version that a list asks for, unless it is restored.
 */
async function reflect(...answers: Answer[]) {
  let next = 0;
  let restored = false;
  const restore = (): void => {
    restored = true;
  };
  const server = await ScriptedServer.start((exchange) => {
    if (exchange.query["limit"] === "1") return restored ? exchange.json(tooLarge, 504) : exchange.json(list(999, []));
    const answer = answers[next++];
    return answer ? answer(exchange) : exchange.events(bookmark(999));
  });
  const clock = manualClock(new Date(0));
  const state = new Map<string, string>();
  const replaced: string[][] = [];
  const errors: unknown[] = [];
  const logged: unknown[] = [];
  const reflector = new Reflector({
    client: server.client(),
    kind: Thing,
    log: { ...discardLogger, error: (error) => void logged.push(error) },
    clock,
    connectionClock: clock,
    random: () => 0,
    onError: (error) => errors.push(error),
    target: {
      begin: () => state.clear(),
      complete: () => replaced.push([...state.keys()]),
      change({ type, object: { metadata } }) {
        if (type === "DELETED") state.delete(metadata.name);
        else state.set(metadata.name, metadata.resourceVersion!);
      },
    },
  });
  const { stop, done } = runInTest((signal) => reflector.run(signal));
  const queries = (): Record<string, string>[] => server.exchanges.map(({ query }) => query);
  /** Advances through backoffs until the server has seen this number of requests. */
  const requests = (count: number): Promise<void> =>
    until(`${count} requests, there are ${server.requests.join("\n")}`, async () => {
      if (server.exchanges.length >= count) return true;
      await clock.advance(2000);
      return false;
    });
  return { server, clock, state, replaced, errors, logged, queries, requests, restore, stop, done };
}

/** Starts a reflector that has read an initial state, and then sends these responses. */
async function synced(...answers: Answer[]) {
  const reflected = await reflect(streaming, ...answers);
  await until("the initial state", () => reflected.replaced.length === 1);
  return reflected;
}

const streaming: Answer = (exchange) => exchange.events(event("ADDED", "a", 1), event("ADDED", "b", 2), initialEnd(5));

describe("a reflector", () => {
  it("reads the initial state from a stream, and continues with the same stream", async () => {
    const { server, state, queries } = await synced();
    expect(queries()[0]).toMatchObject({
      watch: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: "true",
      timeoutSeconds: "300",
    });
    expect(state).toEqual(new Map([["a", "1"], ["b", "2"]])); // prettier-ignore
    server.exchanges[0]!.events(event("MODIFIED", "a", 6), event("DELETED", "b", 7));
    await until("the changes", () => state.get("a") === "6" && !state.has("b"));
    expect(server.exchanges).toHaveLength(1);
  });

  it("reports the initial state only when it is complete", async () => {
    const { server, state, replaced } = await reflect((exchange) => exchange.events(event("ADDED", "a", 1)));
    await until("a request", () => server.exchanges.length === 1);
    server.exchanges[0]!.events(bookmark(3));
    await until("the object", () => state.size === 1);
    await settle();
    expect(replaced).toEqual([]);
  });

  it("waits before the next request if the initial state is incomplete", async () => {
    const short: Answer = (exchange) => (exchange.events(event("ADDED", "gone", 1)), exchange.end());
    const { server, clock, errors, requests, replaced, state } = await reflect(short, streaming);
    await until("the failure", () => errors.length === 1);
    await clock.advance(799);
    expect(server.exchanges).toHaveLength(1);
    await requests(2);
    await until("the state", () => replaced.length === 1);
    expect([...state.keys()]).toEqual(["a", "b"]);
  });

  it("waits for the Retry-After of a busy server without an error in the log", async () => {
    const busy: Answer = (exchange) =>
      void exchange.response.writeHead(429, { "retry-after": "20" }).end("Too many requests");
    const { server, clock, errors, logged, requests, replaced } = await reflect(busy, streaming);
    await until("the failure", () => errors.length === 1);
    await clock.advance(19_999);
    expect(server.exchanges).toHaveLength(1);
    await clock.advance(1);
    await requests(2);
    await until("the state", () => replaced.length === 1);
    expect(logged).toEqual([]);
  });

  it("reads the whole state again if the kind was not served in between", async () => {
    const missing: Answer = (exchange) => void exchange.response.writeHead(404).end("404 page not found\n");
    const { server, queries, requests, state, replaced } = await synced(missing, (exchange) =>
      exchange.events(event("ADDED", "new", 50), initialEnd(51)),
    );
    server.exchanges[0]!.end();
    await requests(3);
    await until("the second state", () => replaced.length === 2);
    expect(queries()[2]).toMatchObject({ sendInitialEvents: "true" });
    expect([...state.keys()]).toEqual(["new"]);
  });

  it("falls back to a list in pages if the server does not support streaming", async () => {
    const { queries, state, requests, replaced } = await reflect(
      (exchange) => exchange.refuse(422, "Invalid"),
      (exchange) => exchange.json(list(10, [stored("a", 1)], "more")),
      (exchange) => exchange.json(list(10, [stored("b", 2)])),
    );
    await requests(4);
    const [, first, second, watch] = queries();
    expect(first).toMatchObject({ limit: "500" });
    expect(first).not.toHaveProperty("watch");
    expect(second).toMatchObject({ continue: "more" });
    expect(watch).toMatchObject({ watch: "true", resourceVersion: "10" });
    expect(watch).not.toHaveProperty("sendInitialEvents");
    expect([...state.keys()]).toEqual(["a", "b"]);
    expect(replaced).toEqual([["a", "b"]]);
  });

  it("lists again in one request if a continue token expires", async () => {
    const { queries, state, requests } = await reflect(
      (exchange) => exchange.refuse(422, "Invalid"),
      (exchange) => exchange.json(list(10, [stored("a", 1), stored("gone", 1)], "more")),
      (exchange) => exchange.refuse(410, "Expired"),
      (exchange) => exchange.json(list(12, [stored("a", 1), stored("b", 2)])),
    );
    await requests(5);
    expect(queries()[3]).not.toHaveProperty("limit");
    expect([...state.keys()]).toEqual(["a", "b"]);
    expect(queries()[4]).toMatchObject({ resourceVersion: "12" });
  });

  it("watches again from the last version after a regular end, without a list", async () => {
    const { server, queries, requests, replaced, errors } = await synced();
    server.exchanges[0]!.events(event("ADDED", "c", 8));
    server.exchanges[0]!.end();
    await requests(2);
    expect(queries()[1]).toMatchObject({ watch: "true", resourceVersion: "8" });
    expect(queries()[1]).not.toHaveProperty("sendInitialEvents");
    expect(replaced).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it("advances by bookmarks alone", async () => {
    const { server, queries, requests } = await synced();
    server.exchanges[0]!.events(bookmark(40));
    server.exchanges[0]!.end();
    await requests(2);
    expect(queries()[1]).toMatchObject({ resourceVersion: "40" });
  });

  it.each<[string, (exchange: Exchange) => void]>([
    ["as the response", (exchange) => exchange.refuse(410, "Expired")],
    [
      "as an event",
      (exchange) =>
        exchange.events({ type: "ERROR", object: { kind: "Status", status: "Failure", reason: "Expired", code: 410 } }),
    ],
  ])(
    "reads the whole state again if its version is too old (410 %s), and removes missing objects",
    async (_name, gone) => {
      const { server, queries, requests, state, replaced } = await synced(gone, (exchange) =>
        exchange.events(event("ADDED", "b", 20), initialEnd(21)),
      );
      server.exchanges[0]!.end();
      await requests(3);
      await until("the second state", () => replaced.length === 2);
      expect(queries()[2]).toMatchObject({ sendInitialEvents: "true" });
      expect(queries()[2]).not.toHaveProperty("resourceVersion");
      expect(state).toEqual(new Map([["b", "20"]]));
    },
  );

  it.each<[string, Answer]>([
    ["the connection is cut", (exchange) => exchange.cut()],
    [
      "a line is truncated",
      (exchange) => {
        exchange.text('{"type":"ADDED","object":{"metada\n');
        exchange.end();
      },
    ],
    ["the server is busy", (exchange) => exchange.refuse(429, "TooManyRequests", { "retry-after": "1" })],
    ["a watch ends immediately", (exchange) => (exchange.text(""), exchange.end())],
    ["a watch ends immediately after a bookmark", (exchange) => (exchange.events(bookmark(5)), exchange.end())],
  ])("waits and watches again from the last version if %s", async (_name, failure) => {
    const { server, queries, requests, replaced, errors } = await synced(failure);
    server.exchanges[0]!.end();
    await until("the failure", () => errors.length === 1);
    expect(queries()).toHaveLength(2);
    const watches = (): Record<string, string>[] => queries().filter(({ watch }) => watch === "true");
    while (watches().length < 3) await requests(queries().length + 1);
    expect(watches()[2]).toMatchObject({ resourceVersion: "5" });
    expect(watches()[2]).not.toHaveProperty("sendInitialEvents");
    expect(errors).toHaveLength(1);
    expect(replaced).toHaveLength(1);
  });

  it("reads the whole state again if versions decrease after a restore of the server", async () => {
    const { server, queries, requests, state, replaced } = await synced((exchange) =>
      exchange.events(event("ADDED", "a", 1), initialEnd(3)),
    );
    server.exchanges[0]!.events(bookmark(3));
    await requests(2);
    await until("the second state", () => replaced.length === 2);
    expect(queries()[1]).toMatchObject({ sendInitialEvents: "true" });
    expect(queries()[1]).not.toHaveProperty("resourceVersion");
    expect(state).toEqual(new Map([["a", "1"]]));
  });

  it("asks a server that it could not reach for its version, and reads its state again if it was restored", async () => {
    const { server, clock, queries, state, replaced, errors, restore } = await reflect(
      streaming,
      (exchange) => exchange.cut(),
      (exchange) => exchange.events(event("ADDED", "a", 1), initialEnd(3)),
    );
    await until("the initial state", () => replaced.length === 1);
    server.exchanges[0]!.end();
    await until("the failure", () => errors.length === 1);
    restore();
    await clock.advance(800);
    await until("the second failure", () => errors.length === 2);
    await clock.advance(800);
    await until("the next request", () => queries().length === 4);
    await until("the second state", () => replaced.length === 2);
    const [, , asked, read] = queries();
    expect(asked).toMatchObject({ limit: "1", resourceVersion: "5", resourceVersionMatch: "NotOlderThan" });
    expect(read).toMatchObject({ sendInitialEvents: "true" });
    expect(read).not.toHaveProperty("resourceVersion");
    expect(state).toEqual(new Map([["a", "1"]]));
  });

  it("reads the newest state of a restored server that has not reached the version", async () => {
    const { server, queries, requests, state, replaced } = await reflect(
      streaming,
      (exchange) => exchange.refuse(403, "Forbidden"),
      (exchange) => exchange.events({ type: "ERROR", object: tooLarge }),
      (exchange) => exchange.events(event("ADDED", "a", 1), initialEnd(3)),
    );
    await until("the initial state", () => replaced.length === 1);
    server.exchanges[0]!.end();
    await requests(4);
    await until("the second state", () => replaced.length === 2);
    expect(queries()[2]).toMatchObject({ sendInitialEvents: "true", resourceVersion: "5" });
    expect(queries()[3]).toMatchObject({ sendInitialEvents: "true" });
    expect(queries()[3]).not.toHaveProperty("resourceVersion");
    expect(state).toEqual(new Map([["a", "1"]]));
  });

  it("reads the state again after an internal error of the server", async () => {
    const { server, queries, requests } = await synced((exchange) => exchange.refuse(500, "InternalError"));
    server.exchanges[0]!.end();
    await requests(3);
    expect(queries()[2]).toMatchObject({ sendInitialEvents: "true" });
  });

  it("retries with growing delays of some seconds while the kind is not served, and logs it twice a minute", async () => {
    const missing: Answer = (exchange) => void exchange.response.writeHead(404).end("404 page not found\n");
    const answers = Array.from({ length: 8 }, () => missing);
    const { server, clock, errors, logged, requests, replaced } = await reflect(...answers, streaming);
    await until("the first failure", () => errors.length === 1);
    expect(errors[0]).toMatchObject({ code: "TSOP_RESOURCE_NOT_SERVED" });
    await clock.advance(799);
    expect(server.exchanges).toHaveLength(1);
    await clock.advance(1);
    await until("the second try", () => errors.length === 2);
    await clock.advance(1599);
    expect(server.exchanges).toHaveLength(2);
    await clock.advance(1);
    for (const [index, ms] of [3200, 6400, 10_000, 10_000, 10_000].entries()) {
      await until("the next try", () => errors.length === index + 3);
      await clock.advance(ms);
    }
    await requests(9);
    await until("the state", () => replaced.length === 1);
    expect(logged).toHaveLength(2);
  });

  it("watches again soon each time that a connection is cut which has lasted for some time", async () => {
    const { server, clock, requests, replaced, errors, logged } = await synced();
    for (let cut = 1; cut <= 5; cut++) {
      await clock.advance(35_000);
      server.exchanges.at(-1)!.cut();
      await until("the failure", () => errors.length === cut);
      await clock.advance(800);
      await until("the next watch", () => server.exchanges.length === cut + 1);
    }
    expect(logged).toEqual([]);
    server.exchanges.at(-1)!.cut();
    await until("the failure", () => errors.length === 6);
    expect(logged).toHaveLength(1);
    await clock.advance(1599);
    expect(server.exchanges).toHaveLength(6);
    await requests(7);
    expect(replaced).toHaveLength(1);
  });

  it("retries every few seconds while the server is unreachable, and logs it twice a minute", async () => {
    const away: Answer = (exchange) => exchange.cut();
    const busy: Answer = (exchange) => exchange.refuse(500, "InternalError");
    const { server, clock, replaced, errors, logged } = await reflect(
      ...Array.from({ length: 20 }, () => away),
      busy,
      busy,
      streaming,
    );
    const fail = async (count: number): Promise<void> => {
      await until("the failure", () => errors.length === count);
      expect(server.exchanges).toHaveLength(count);
    };
    const waits = [800, 1600, 3200, ...Array.from({ length: 17 }, () => 4000)];
    for (const [index, ms] of waits.entries()) {
      await fail(index + 1);
      await clock.advance(ms);
    }
    await fail(21);
    expect(logged).toHaveLength(3 + 1);
    await clock.advance(4000);
    await fail(22);
    await clock.advance(7999);
    expect(server.exchanges).toHaveLength(22);
    await clock.advance(1);
    await until("the state", () => replaced.length === 1);
    expect(logged).toHaveLength(3 + 2);
  });

  it("logs again that the server is unreachable if it was reachable in between", async () => {
    const away: Answer = (exchange) => exchange.cut();
    const brief: Answer = (exchange) => (exchange.events(event("ADDED", "a", 1)), exchange.end());
    const { requests, replaced, logged } = await reflect(away, brief, away, away, streaming);
    await requests(5);
    await until("the state", () => replaced.length === 1);
    expect(logged).toHaveLength(3);
  });

  it("abandons a stalled stream, and watches again", async () => {
    const { server, clock, state, queries, requests, errors } = await synced();
    // The request asked the server to end the watch after 300 s; five seconds later the connection counts as dead.
    for (const [version, ms] of [
      [6, 149_000],
      [7, 149_000],
      [8, 6_999],
    ] as const) {
      // prettier-ignore
      await clock.advance(ms);
      server.exchanges[0]!.events(event("ADDED", "a", version));
      await until("the event", () => state.get("a") === String(version));
    }
    expect(queries()).toHaveLength(1);
    await clock.advance(1);
    await requests(2);
    expect(queries()[1]).toMatchObject({ resourceVersion: "8" });
    expect(errors).toEqual([]);
  });

  it("abandons a stream that is silent although servers send bookmarks, and watches again", async () => {
    const { server, clock, state, queries, requests, errors } = await synced();
    await clock.advance(100_000);
    server.exchanges[0]!.events(event("ADDED", "a", 5));
    await until("the event", () => state.get("a") === "5");
    await clock.advance(149_999);
    expect(queries()).toHaveLength(1);
    await clock.advance(1);
    await requests(2);
    expect(queries()[1]).toMatchObject({ resourceVersion: "5" });
    expect(errors).toEqual([]);
  });

  it("ends immediately with its signal, and closes its connection", async () => {
    const { server, stop, done } = await synced();
    stop.abort();
    await done;
    await until("the connection's end", () => server.openConnections === 0);
  });
});
