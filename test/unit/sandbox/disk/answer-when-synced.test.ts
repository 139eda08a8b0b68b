import { expect, it, vi } from "vitest";
import { createApiServer } from "../../../../src/apiserver/create-api-server.ts";
import { answerWhenSynced } from "../../../../src/sandbox/disk/answer-when-synced.ts";
import { patience } from "../../../patience.ts";

const user = { username: "admin", groups: ["system:masters"] };
const maps = "/api/v1/namespaces/default/configmaps";

/** A server whose answers wait until `sync` or `fail` is called. */
function delayed() {
  let settled: PromiseWithResolvers<void> | undefined;
  const inner = createApiServer();
  const server = answerWhenSynced(inner, () => settled?.promise ?? Promise.resolve());
  const { signal } = new AbortController();
  const ask = (method: string, url: string, body?: object) =>
    server.handle({ method, url, headers: {}, body: Buffer.from(body ? JSON.stringify(body) : ""), user, signal });
  const hold = () => (settled = withResolvers());
  return { ask, hold, inner };
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function withResolvers(): PromiseWithResolvers<void> {
  let resolvers!: Omit<PromiseWithResolvers<void>, "promise">;
  const promise = new Promise<void>((resolve, reject) => (resolvers = { resolve, reject }));
  // A test may reject it before anybody waits.
  promise.catch(() => {});
  return { promise, ...resolvers };
}

/** Notes the result of a promise in the order in which promises settle. */
function note(promise: Promise<unknown>, name: string, order: string[]): Promise<unknown> {
  return promise.then(
    () => order.push(name),
    () => order.push(`${name} fails`),
  );
}

it("shows a change to nobody before it is on the disk", async () => {
  const { ask, hold, inner } = delayed();
  const watch = await ask("GET", `${maps}?watch=true&resourceVersion=${inner.snapshot().revision}`);
  const events = (watch.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  const { resolve } = hold();
  const order: string[] = [];
  const all = [
    note(ask("POST", maps, { metadata: { name: "a" } }), "answer", order),
    note(ask("GET", maps), "list", order),
    note(events.next(), "event", order),
  ];
  await vi.waitUntil(() => inner.snapshot().objects["/configmaps"]?.["default/a"], patience);
  expect(order).toEqual([]);
  resolve();
  await Promise.all(all);
  expect(order.toSorted()).toEqual(["answer", "event", "list"]);
});

it("refuses answers and ends watches if the disk fails", async () => {
  const { ask, hold, inner } = delayed();
  const watch = await ask("GET", `${maps}?watch=true&resourceVersion=${inner.snapshot().revision}`);
  const events = (watch.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  const { reject } = hold();
  const answer = ask("POST", maps, { metadata: { name: "a" } });
  const event = events.next();
  reject(new Error("the disk fails"));
  await expect(answer).rejects.toThrow("the disk fails");
  expect(await event).toMatchObject({ done: true });
});
