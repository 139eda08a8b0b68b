import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { Cache } from "../../../../src/runtime/cache/cache.ts";
import { discardLogger, type Logger } from "../../../../src/runtime/log/logger.ts";
import {
  enqueueForObject,
  enqueueFromMap,
  withLowPriorityWhenUnchanged,
  type EventHandler,
} from "../../../../src/runtime/controller/handlers.ts";
import { readingMetadata } from "../../../../src/runtime/controller/metadata-readers.ts";
import {
  and,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  not,
  or,
  predicateFuncs,
  type Predicate,
} from "../../../../src/runtime/controller/predicates.ts";
import {
  channelSource,
  EventChannel,
  funcSource,
  kindSource,
  type SourceContext,
} from "../../../../src/runtime/controller/sources.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";
import { ScriptedServer } from "../../scripted-server.ts";
import { initialEnd, stored } from "../watch-events.ts";

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

  it.each<[string, () => never[] | Promise<never[]>]>([
    [
      "throws",
      () => {
        throw new Error("bad");
      },
    ],
    ["rejects", () => Promise.reject(new Error("bad"))],
  ])("calls a handler that %s again, behind later events", async (_how, fail) => {
    const channel = new EventChannel();
    const clock = manualClock(new Date(0));
    const messages: string[] = [];
    const seen: string[] = [];
    const log = { ...discardLogger, error: (_error: unknown, message: string) => messages.push(message) };
    let failures = 0;
    const handler: EventHandler = {
      generic: ({ object }, enqueue) => {
        if (object.metadata.name === "bad" && failures++ < 2) return fail() as never;
        enqueue({ name: object.metadata.name ?? "" }, 0);
      },
    };
    await channelSource(channel, handler).start(({ name }) => seen.push(name), { ...context(log), clock });
    for (const name of ["bad", "good"]) channel.send(thing(name));
    await settle();
    expect(seen).toEqual(["good"]);
    await clock.advance(1_000);
    expect(seen).toEqual(["good"]);
    await clock.advance(2_000);
    expect([seen, messages]).toEqual([["good", "bad"], ["An event handler failed, and is called again"]]);
  });

  it("drops an event after ten calls, and logs it", async () => {
    const channel = new EventChannel();
    const clock = manualClock(new Date(0));
    const messages: string[] = [];
    const log = { ...discardLogger, error: (_error: unknown, message: string) => messages.push(message) };
    let calls = 0;
    const failing = enqueueFromMap(() => Promise.reject(new Error(`call ${++calls}`)));
    await channelSource(channel, failing).start(() => undefined, { ...context(log), clock });
    channel.send(thing("bad"));
    for (let minute = 0; minute < 20; minute++) {
      await settle();
      await clock.advance(60_000);
    }
    expect([calls, messages]).toEqual([
      10,
      [
        "An event handler failed, and is called again",
        "An event handler failed again and again, and its event is lost",
      ],
    ]);
  });

  it("calls no handler again after the end", async () => {
    const channel = new EventChannel();
    const clock = manualClock(new Date(0));
    const ctx = { ...context(), clock };
    let calls = 0;
    const failing = enqueueFromMap(() => Promise.reject(new Error(`call ${++calls}`)));
    await channelSource(channel, failing).start(() => undefined, ctx);
    channel.send(thing("bad"));
    await settle();
    ctx.stop.abort();
    await clock.advance(60_000);
    expect(calls).toBe(1);
  });
});

describe("the source of a kind", () => {
  const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
  const object = { ...stored("a", 1), spec: { size: 3 } };

  /** Returns the objects that a handler of the initial state receives. */
  async function received(predicates: Predicate[], mark: (handler: EventHandler) => EventHandler) {
    const server = await ScriptedServer.start((exchange) => exchange.events({ type: "ADDED", object }, initialEnd(2)));
    const ctx = context();
    const cache = new Cache(server.client(), discardLogger);
    const running = cache.start(ctx.signal);
    const objects: unknown[] = [];
    const handler = mark({ create: ({ object }) => void objects.push(object) });
    await kindSource({ cache, kind: Thing, handler, predicates }).start(() => undefined, ctx);
    ctx.stop.abort();
    await running;
    return objects;
  }

  const aroundCreate = (handler: EventHandler): EventHandler => ({
    ...handler,
    create: (event, enqueue) => handler.create?.(event, enqueue),
  });

  it.each<[string, Predicate[], (handler: EventHandler) => EventHandler]>([
    ["the handler", [], readingMetadata],
    ["its predicates", [generationChanged(), labelSelectorPredicate({})], readingMetadata],
    ["combined predicates", [or(generationChanged(), not(labelChanged())), and()], readingMetadata],
    ["a handler that it calls", [], (handler) => withLowPriorityWhenUnchanged(readingMetadata(handler))],
  ])("parses only the metadata of objects if no more is read by %s", async (_who, predicates, mark) => {
    const [object] = await received(predicates, mark);
    expect(object).toMatchObject({ metadata: { name: "a", namespace: "n" } });
    expect(object).not.toHaveProperty("spec");
  });

  it.each<[string, Predicate[], (handler: EventHandler) => EventHandler]>([
    ["the handler", [], (handler) => handler],
    ["a predicate", [predicateFuncs(() => true)], readingMetadata],
    [
      "one of combined predicates",
      [
        or(
          generationChanged(),
          predicateFuncs(() => true),
        ),
      ],
      readingMetadata,
    ],
    ["a handler that it calls", [], withLowPriorityWhenUnchanged],
    ["a function around one that reads metadata", [], (handler) => aroundCreate(readingMetadata(handler))],
  ])("passes whole objects if more may be read by %s", async (_who, predicates, mark) => {
    expect(await received(predicates, mark)).toMatchObject([{ apiVersion: "example.com/v1", spec: { size: 3 } }]);
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
