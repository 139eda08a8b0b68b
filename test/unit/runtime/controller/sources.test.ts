import { describe, expect, it } from "vitest";
import { discardLogger, type Logger } from "../../../../src/runtime/log/logger.ts";
import { enqueueForObject, enqueueFromMap } from "../../../../src/runtime/controller/handlers.ts";
import {
  channelSource,
  EventChannel,
  funcSource,
  type SourceContext,
} from "../../../../src/runtime/controller/sources.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";

function context(log: Logger = discardLogger): SourceContext & { stop: AbortController } {
  const stop = new AbortController();
  return { stop, signal: stop.signal, log, clock: manualClock(new Date(0)), syncTimeoutMs: 1000 };
}

const thing = (name: string) => ({ object: { metadata: { name } } });

describe("a channel", () => {
  it.each([
    [undefined, 1024],
    [{ bufferSize: 2 }, 2],
  ])("buffers %o events until a listener starts", async (options, limit) => {
    const channel = new EventChannel(options);
    for (let n = 0; n < limit; n++) channel.send(thing(`t${n}`));
    expect(() => channel.send(thing("one more"))).toThrow(`${limit} events were sent`);
    const seen: string[] = [];
    await channelSource(channel, enqueueForObject()).start(({ name }) => seen.push(name), context());
    channel.send(thing("now"));
    expect(seen).toHaveLength(limit + 1);
  });

  it("delivers to every started controller, behind its predicates, until it stops", async () => {
    const channel = new EventChannel();
    const [first, second]: [string[], string[]] = [[], []];
    const ctx = context();
    await channelSource(channel, enqueueForObject()).start(({ name }) => first.push(name), ctx);
    const notB = { generic: ({ object }: ReturnType<typeof thing>) => object.metadata.name !== "b" };
    await channelSource(channel, enqueueForObject(), [notB]).start(({ name }) => second.push(name), context());
    channel.send(thing("a"));
    channel.send(thing("b"));
    ctx.stop.abort();
    channel.send(thing("c"));
    expect([first, second]).toEqual([
      ["a", "b"],
      ["a", "c"],
    ]);
  });

  it("keeps the order of events for a slow handler", async () => {
    const channel = new EventChannel();
    const seen: string[] = [];
    const release: (() => void)[] = [];
    const slow = enqueueFromMap(async ({ metadata }) => {
      if (metadata.name === "slow") await new Promise<void>((resolve) => release.push(resolve));
      return [{ name: metadata.name }];
    });
    await channelSource(channel, slow).start(({ name }) => seen.push(name), context());
    for (const name of ["a", "slow", "b"]) channel.send(thing(name));
    await settle();
    expect(seen).toEqual(["a"]);
    release[0]!();
    await settle();
    expect(seen).toEqual(["a", "slow", "b"]);
  });

  it("logs an error of a handler, and continues", async () => {
    const channel = new EventChannel();
    const errors: unknown[] = [];
    const seen: string[] = [];
    const log = { ...discardLogger, error: (error: unknown) => errors.push(error) };
    const failing = enqueueFromMap(({ metadata }) =>
      metadata.name === "bad" ? Promise.reject(new Error("bad")) : [{ name: metadata.name }],
    );
    await channelSource(channel, failing).start(({ name }) => seen.push(name), context(log));
    for (const name of ["bad", "good"]) channel.send(thing(name));
    await settle();
    expect([errors.length, seen]).toEqual([1, ["good"]]);
  });
});

it("a source function enqueues any request", async () => {
  const seen: string[] = [];
  await funcSource((enqueue) => enqueue({ name: "a" }, 3)).start(
    ({ name }, priority) => seen.push(`${name} ${priority}`),
    context(),
  );
  expect(seen).toEqual(["a 3"]);
});
