import { describe, expect, it } from "vitest";
import { defineKind, metadataOnly, type Kind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from "../../../src/apimachinery/status.ts";
import { isKindNotServed } from "../../../src/client/calls/api-caller.ts";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../../../src/client/ignore-not-found.ts";
import { namespacedClient } from "../../../src/client/namespaced-client.ts";
import { mergeFrom, mergePatch } from "../../../src/client/patches.ts";
import { retryOnConflict } from "../../../src/client/retry-on-conflict.ts";
import { ScriptedServer, type Answer } from "../scripted-server.ts";

interface Thing extends KubeObject {
  spec?: { size: number };
}

const Thing: Kind<Thing> = defineKind<Thing>({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const Node = defineKind({ group: "", version: "v1", kind: "Node", plural: "nodes", scope: "Cluster" });
const key = { namespace: "n", name: "a" };

async function start(...answers: Answer[]): Promise<{ server: ScriptedServer; client: Client }> {
  let next = 0;
  const server = await ScriptedServer.start((exchange) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    if (answer) return answer(exchange);
    exchange.json({ metadata: { name: "a" } });
  });
  return { server, client: server.client() };
}

const object: Thing = { metadata: { ...key, resourceVersion: "5" }, spec: { size: 1 } };

describe("a request", () => {
  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["get", (c) => c.get(Thing, key), "GET /apis/example.com/v1/namespaces/n/things/a"],
    ["get of a cluster-scoped kind", (c) => c.get(Node, { name: "a" }), "GET /api/v1/nodes/a"],
    [
      "list",
      (c) => c.list(Thing, { namespace: "n", labels: { a: "b", c: "d" }, fields: "x=y", limit: 3, continue: "t" }),
      "GET /apis/example.com/v1/namespaces/n/things?labelSelector=a%3Db%2Cc%3Dd&fieldSelector=x%3Dy&limit=3&continue=t",
    ],
    ["list of all namespaces", (c) => c.list(Thing), "GET /apis/example.com/v1/things"],
    [
      "create",
      (c) => c.create(Thing, object, { dryRun: true, fieldOwner: "me", fieldValidation: "Strict" }),
      "POST /apis/example.com/v1/namespaces/n/things?dryRun=All&fieldManager=me&fieldValidation=Strict",
    ],
    ["update", (c) => c.update(Thing, object), "PUT /apis/example.com/v1/namespaces/n/things/a"],
    [
      "patch",
      (c) => c.patch(Thing, key, mergeFrom(object, object)),
      "PATCH /apis/example.com/v1/namespaces/n/things/a",
    ],
    [
      "apply",
      (c) => c.apply(Thing, { metadata: key, spec: { size: 2 } }, { fieldOwner: "me", force: true }),
      "PATCH /apis/example.com/v1/namespaces/n/things/a?fieldManager=me&force=true",
    ],
    ["delete", (c) => c.delete(Thing, key), "DELETE /apis/example.com/v1/namespaces/n/things/a"],
    [
      "patch an object",
      (c) => c.patch(Thing, object, mergePatch({})),
      "PATCH /apis/example.com/v1/namespaces/n/things/a",
    ],
    [
      "delete an object",
      (c) => c.delete(Thing, { metadata: key }),
      "DELETE /apis/example.com/v1/namespaces/n/things/a",
    ],
    [
      "deleteAllOf",
      (c) => c.deleteAllOf(Thing, { namespace: "n", labels: "a=b" }),
      "DELETE /apis/example.com/v1/namespaces/n/things?labelSelector=a%3Db",
    ],
    ["status update", (c) => c.status.update(Thing, object), "PUT /apis/example.com/v1/namespaces/n/things/a/status"],
    ["scale", (c) => c.subResource("scale").get(Thing, key), "GET /apis/example.com/v1/namespaces/n/things/a/scale"],
  ])("%s", async (_name, call, expected) => {
    const { server, client } = await start();
    await call(client);
    expect(server.requests).toEqual([expected]);
  });

  it("sets the type, and leaves the caller's object unchanged", async () => {
    const { server, client } = await start((exchange) => exchange.json(JSON.parse(exchange.body), 201));
    const given: Thing = { metadata: { namespace: "n", generateName: "a-" }, spec: { size: 1 } };
    const created = await client.create(Thing, given);
    expect(JSON.parse(server.exchanges[0]!.body)).toEqual({ ...given, apiVersion: "example.com/v1", kind: "Thing" });
    expect(given).not.toHaveProperty("kind");
    expect(created.kind).toBe("Thing");
  });

  it("requests metadata in a form that old servers understand too", async () => {
    const { server, client } = await start((exchange) =>
      exchange.json({ kind: "PartialObjectMetadata", metadata: {} }),
    );
    expect((await client.get(metadataOnly(Thing), key)).kind).toBe("Thing");
    expect(server.exchanges[0]!.request.headers.accept).toBe(
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
    );
  });

  it("sends the preconditions of a deletion in its body", async () => {
    const { server, client } = await start();
    await client.delete(Thing, key, {
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
      gracePeriodSeconds: 0,
      dryRun: true,
    });
    expect(JSON.parse(server.exchanges[0]!.body)).toEqual({
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
      gracePeriodSeconds: 0,
      dryRun: ["All"],
    });
  });

  it("adds the client's defaults, which a call can override", async () => {
    const { server } = await start();
    const transport = new HttpTransport(server.config);
    const client = createClient({ transport, fieldOwner: "us", dryRun: true });
    await client.update(Thing, object);
    await client.update(Thing, object, { fieldOwner: "me", dryRun: false });
    transport.close();
    expect(server.exchanges.map(({ query }) => query)).toEqual([
      { dryRun: "All", fieldManager: "us" },
      { fieldManager: "me" },
    ]);
  });
});

describe("a client for one namespace", () => {
  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["get", (c) => c.get(Thing, { name: "a" }), "GET /apis/example.com/v1/namespaces/n/things/a"],
    ["getOrUndefined", (c) => c.getOrUndefined(Thing, { name: "a" }), "GET /apis/example.com/v1/namespaces/n/things/a"],
    ["list", (c) => c.list(Thing), "GET /apis/example.com/v1/namespaces/n/things"],
    ["listEach", (c) => c.listEach(Thing)[Symbol.asyncIterator]().next(), "GET /apis/example.com/v1/namespaces/n/things?limit=500"],
    ["watch", (c) => c.watch(Thing)[Symbol.asyncIterator]().next(), "GET /apis/example.com/v1/namespaces/n/things?watch=true"],
    ["create", (c) => c.create(Thing, { metadata: { name: "a" } }), "POST /apis/example.com/v1/namespaces/n/things"],
    ["update", (c) => c.update(Thing, object), "PUT /apis/example.com/v1/namespaces/n/things/a"],
    ["patch", (c) => c.patch(Thing, { name: "a" }, mergeFrom(object, object)), "PATCH /apis/example.com/v1/namespaces/n/things/a"],
    ["apply", (c) => c.apply(Thing, { metadata: { name: "a" } }, { fieldOwner: "me" }), "PATCH /apis/example.com/v1/namespaces/n/things/a?fieldManager=me"],
    ["delete", (c) => c.delete(Thing, { name: "a" }), "DELETE /apis/example.com/v1/namespaces/n/things/a"],
    ["deleteAllOf", (c) => c.deleteAllOf(Thing), "DELETE /apis/example.com/v1/namespaces/n/things"],
    ["status", (c) => c.status.update(Thing, { metadata: { name: "a" } }), "PUT /apis/example.com/v1/namespaces/n/things/a/status"],
    ["a subresource", (c) => c.subResource("scale").get(Thing, { name: "a" }), "GET /apis/example.com/v1/namespaces/n/things/a/scale"],
    ["a cluster-scoped kind", (c) => c.get(Node, { name: "a" }), "GET /api/v1/nodes/a"],
  ])("%s", async (_name, call, expected) => {
    const { server, client } = await start((exchange) => exchange.text(JSON.stringify({ metadata: {}, items: [{ metadata: {} }] })) ?? exchange.end());
    await call(namespacedClient(client, "n"));
    expect(server.requests).toEqual([expected]);
  }); // prettier-ignore

  it("rejects another namespace, and fills in its own without a change of the object", async () => {
    const { server, client } = await start();
    const other = namespacedClient(client, "m");
    await expect(other.get(Thing, key)).rejects.toMatchObject({ code: "TSOP_NAMESPACE_OTHER" });
    await expect(other.update(Thing, object)).rejects.toMatchObject({ code: "TSOP_NAMESPACE_OTHER" });
    await expect(other.list(Thing, { namespace: "n" })).rejects.toMatchObject({ code: "TSOP_NAMESPACE_OTHER" });
    const bare: Thing = { metadata: { name: "a" } };
    await other.create(Thing, bare);
    expect(bare).toEqual({ metadata: { name: "a" } });
    expect(JSON.parse(server.exchanges[0]!.body)).toMatchObject({ metadata: { name: "a", namespace: "m" } });
  });
});

describe("metadata-only access", () => {
  it("patches metadata, and rejects a create or update, which would empty the object", async () => {
    const { server, client } = await start();
    const kind = metadataOnly(Thing);
    await expect(client.create(kind, object)).rejects.toMatchObject({ code: "TSOP_METADATA_ONLY" });
    await expect(client.update(kind, object)).rejects.toMatchObject({ code: "TSOP_METADATA_ONLY" });
    await client.patch(kind, key, mergePatch({ metadata: { labels: { a: "b" } } }));
    expect(server.exchanges[0]!.request.headers.accept).toContain("as=PartialObjectMetadata");
  });

  it("rejects an update of a subresource, which would empty the status", async () => {
    const { server, client } = await start();
    const kind = metadataOnly(Thing);
    await expect(client.status.update(kind, object)).rejects.toMatchObject({ code: "TSOP_METADATA_ONLY" });
    expect(server.requests).toEqual([]);
    await client.status.patch(kind, key, mergePatch({ metadata: { labels: { a: "b" } } }));
    await client.status.apply(kind, { metadata: key }, { fieldOwner: "me" });
    await client.status.patch(Thing, key, mergePatch({}));
    const accepts = server.exchanges.map(({ request }) => request.headers.accept!.includes("PartialObjectMetadata"));
    expect(accepts).toEqual([true, true, false]);
  });
});

describe("the warnings", () => {
  it.each([
    [false, ["old", "old", 'a "größe" one']],
    [true, ["old", 'a "größe" one']],
  ])("of the server are reported, each once if requested: %s", async (deduplicateWarnings, expected) => {
    const warn = (...texts: string[]): Answer => (exchange) => {
      const bytes = (text: string): string => Buffer.from(`299 - ${JSON.stringify(text)}`).toString("latin1");
      exchange.response.setHeader("warning", texts.map(bytes));
      exchange.json({ metadata: {} });
    }; // prettier-ignore
    const { server } = await start(warn("old"), warn("old", 'a "größe" one'));
    const told: string[] = [];
    const transport = new HttpTransport(server.config);
    const client = createClient({ transport, deduplicateWarnings, onWarning: (text) => told.push(text) });
    await client.get(Thing, key);
    await client.get(Thing, key);
    transport.close();
    expect(told).toEqual(expected);
  });
});

describe("an error", () => {
  it.each<[string, number, string, (error: unknown) => boolean]>([
    ["not found", 404, "NotFound", isNotFound],
    ["conflict", 409, "Conflict", isConflict],
    ["already exists", 409, "AlreadyExists", isAlreadyExists],
    ["expired", 410, "Expired", isGone],
    ["unauthorized", 401, "Unauthorized", isUnauthorized],
    ["forbidden", 403, "Forbidden", isForbidden],
    ["method not allowed", 405, "MethodNotAllowed", isMethodNotAllowed],
    ["too large", 413, "RequestEntityTooLarge", isRequestEntityTooLarge],
    ["unsupported media type", 415, "UnsupportedMediaType", isUnsupportedMediaType],
    ["invalid", 422, "Invalid", isInvalid],
    ["too many requests", 429, "TooManyRequests", isTooManyRequests],
    ["internal error", 500, "InternalError", isInternalError],
    ["service unavailable", 503, "ServiceUnavailable", isServiceUnavailable],
    ["server timeout", 504, "ServerTimeout", isServerTimeout],
    ["timeout", 504, "Timeout", isTimeout],
    ["bad request", 400, "BadRequest", isBadRequest],
  ])("is recognized as %s", async (_name, code, reason, predicate) => {
    const { client } = await start((exchange) => exchange.refuse(code, reason));
    const error: unknown = await client.get(Thing, key).catch((e: unknown) => e);
    expect(predicate(error)).toBe(true);
  });

  it("becomes undefined in getOrUndefined only if the object is not found", async () => {
    const { client } = await start(
      (exchange) => exchange.refuse(404, "NotFound"),
      (exchange) => exchange.refuse(403, "Forbidden"),
    );
    expect(await client.getOrUndefined(Thing, key)).toBeUndefined();
    await expect(client.getOrUndefined(Thing, key)).rejects.toMatchObject({ reason: "Forbidden" });
  });

  it("can be ignored if the object already exists", async () => {
    const { client } = await start((exchange) => exchange.refuse(409, "AlreadyExists"), (exchange) => exchange.refuse(409, "Conflict")); // prettier-ignore
    expect(await client.create(Thing, object).catch(ignoreAlreadyExists)).toBeUndefined();
    expect(isConflict(await client.create(Thing, object).catch(ignoreAlreadyExists).catch((error: unknown) => error))).toBe(true); // prettier-ignore
  });

  it("can be ignored if the object is not found", async () => {
    const { client } = await start(
      (exchange) => exchange.refuse(404, "NotFound"),
      (exchange) => exchange.refuse(403, "Forbidden"),
    );
    expect(await client.delete(Thing, key).catch(ignoreNotFound)).toBeUndefined();
    await expect(client.delete(Thing, key).catch(ignoreNotFound)).rejects.toMatchObject({ reason: "Forbidden" });
  });

  it("of a missing path means that the kind is not served", async () => {
    const { client } = await start((exchange) => void exchange.response.writeHead(404).end("404 page not found\n"));
    const error: unknown = await client.getOrUndefined(Thing, key).catch((e: unknown) => e);
    expect(isKindNotServed(error)).toBe(true);
    expect((error as Error).message).toBe("the API server does not serve Thing (example.com/v1, things)");
    await expect(client.status.update(Thing, object)).rejects.toMatchObject({ code: "TSOP_SUBRESOURCE_NOT_SERVED" });
  });

  it("keeps the text of a proxy", async () => {
    const page = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body><hr>nginx</body></html>";
    const { client } = await start((exchange) => void exchange.response.writeHead(502).end(page));
    const message =
      "the server responded with 502 to GET /apis/example.com/v1/namespaces/n/things/a and a page, as proxies do: 502 Bad Gateway nginx";
    await expect(client.get(Thing, key)).rejects.toMatchObject({ code: 502, message });
  });

  it("names the request to which the server responds with a text, as for an APIService that is away", async () => {
    const { client } = await start((exchange) => void exchange.response.writeHead(503).end("service unavailable\n"));
    const message =
      "the server responded with 503 to GET /apis/example.com/v1/namespaces/n/things: service unavailable";
    await expect(client.list(Thing, { namespace: "n", limit: 1 })).rejects.toMatchObject({ code: 503, message });
  });

  it("reports a response that is not JSON", async () => {
    const { client } = await start((exchange) => void exchange.response.writeHead(200).end("<html>Log in</html>"));
    await expect(client.get(Thing, key)).rejects.toMatchObject({ code: "TSOP_ANSWER_UNREADABLE" });
  });

  it("reports a response that is text, such as a log", async () => {
    const { client } = await start(
      (exchange) => void exchange.response.writeHead(200, { "content-type": "text/plain" }).end("one\ntwo\n"),
    );
    await expect(client.subResource("log").get(Thing, key)).rejects.toMatchObject({ code: "TSOP_ANSWER_TEXT" });
  });

  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["a name", (c) => c.get(Thing, { namespace: "n", name: "" }), "TSOP_NAME_MISSING"],
    ["a name to update", (c) => c.update(Thing, { metadata: { namespace: "n" } }), "TSOP_NAME_MISSING"],
    ["a namespace", (c) => c.create(Thing, { metadata: { name: "a" } }), "TSOP_NAMESPACE_MISSING"],
  ])("is thrown before the request if %s is missing", async (_name, call, code) => {
    const { server, client } = await start();
    await expect(call(client)).rejects.toMatchObject({ code });
    expect(server.requests).toEqual([]);
  });
});

describe("a name that is not a path segment", () => {
  it.each(["a/status", "a%2Fstatus", ".", ".."])("is rejected before the request: %s", async (name) => {
    const { server, client } = await start();
    const calls = [
      () => client.get(Thing, { namespace: "n", name }),
      () => client.get(Thing, { namespace: name, name: "a" }),
      () => client.delete(Thing, { namespace: "n", name }),
      () => client.status.update(Thing, { metadata: { namespace: "n", name } }),
      () => client.list(Thing, { namespace: name }),
      () => client.deleteAllOf(Thing, { namespace: name }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "TSOP_NAME_INVALID" });
    expect(server.requests).toEqual([]);
  });
});

describe("the retries", () => {
  it("wait for the duration that the server requests, also for writes", async () => {
    const { server, client } = await start(
      (exchange) => exchange.refuse(429, "TooManyRequests", { "retry-after": "0" }),
      (exchange) => exchange.refuse(503, "ServiceUnavailable", { "retry-after": "0" }),
      (exchange) => exchange.json(object),
    );
    await client.update(Thing, object);
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ["7", 7],
    ["-7", 0],
    ["3000000", 300],
  ])("of a watch are left to the caller, who gets Retry-After %s within limits", async (header, seconds) => {
    const { server, client } = await start(
      (exchange) =>
        void exchange.response
          .writeHead(429, { "retry-after": header })
          .end("Too many requests, please try again later."),
    );
    const error: unknown = await client.watch(Thing)[Symbol.asyncIterator]().next().catch((e: unknown) => e); // prettier-ignore
    expect(error).toMatchObject({ code: 429, status: { details: { retryAfterSeconds: seconds } } });
    expect(server.requests).toHaveLength(1);
  });

  it("stop after ten", async () => {
    const { server, client } = await start((exchange) =>
      exchange.refuse(429, "TooManyRequests", { "retry-after": "0" }),
    );
    const error: unknown = await client.get(Thing, key).catch((e: unknown) => e);
    expect(isTooManyRequests(error)).toBe(true);
    expect(server.requests).toHaveLength(11);
  });

  it("need a Retry-After of the server", async () => {
    const { server, client } = await start((exchange) => exchange.refuse(500, "InternalError"));
    await expect(client.get(Thing, key)).rejects.toMatchObject({ code: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it("repeat a read after a broken connection, never a write", async () => {
    const { server, client } = await start(
      (exchange) => exchange.cut(),
      (exchange) => exchange.json(object),
    );
    expect(await client.get(Thing, key)).toMatchObject({ spec: { size: 1 } });
    expect(server.requests).toHaveLength(2);
    const other = await start((exchange) => exchange.cut());
    await expect(other.client.update(Thing, object)).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    expect(other.server.requests).toHaveLength(1);
  });

  it("of a change read the object again after a conflict, and stop after five", async () => {
    const { client } = await start((exchange) => exchange.refuse(409, "Conflict"));
    let tries = 0;
    const change = (): Promise<unknown> => {
      tries++;
      return client.update(Thing, object);
    };
    await expect(retryOnConflict(change, { waitMs: 0 })).rejects.toMatchObject({ reason: "Conflict" });
    expect(tries).toBe(5);
  });
});

describe("a watch", () => {
  const line = (type: string, name: string): object => ({ type, object: { metadata: { name } } });

  it("yields events as they arrive, and closes its connection at the end of the loop", async () => {
    const { server, client } = await start((exchange) => exchange.events(line("ADDED", "a"), line("MODIFIED", "b")));
    const seen: string[] = [];
    for await (const event of client.watch(Thing, { namespace: "n", resourceVersion: "7", allowBookmarks: true })) {
      seen.push(`${event.type} ${event.object.metadata.name}`);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(["ADDED a", "MODIFIED b"]);
    expect(server.exchanges[0]!.query).toEqual({ watch: "true", resourceVersion: "7", allowWatchBookmarks: "true" });
    await expect.poll(() => server.openConnections).toBe(0);
  });

  it("throws an error of the server", async () => {
    const { client } = await start((exchange) =>
      exchange.events({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } }),
    );
    const error: unknown = await client.watch(Thing)[Symbol.asyncIterator]().next().catch((e: unknown) => e); // prettier-ignore
    expect(isGone(error)).toBe(true);
  });

  it("ends with the reason of its signal", async () => {
    const { client } = await start((exchange) => exchange.events(line("ADDED", "a")));
    const stop = new AbortController();
    const reason = new Error("enough");
    const run = async (): Promise<void> => {
      for await (const _event of client.watch(Thing, { signal: stop.signal })) stop.abort(reason);
    };
    await expect(run()).rejects.toBe(reason);
  });
});
