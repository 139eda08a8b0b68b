import { describe, expect, it } from "vitest";
import { Event } from "../../../../src/k8s/events/v1.ts";
import { EventBroadcaster } from "../../../../src/runtime/event-recorder/event-recorder.ts";
import { discardLogger, type Logger } from "../../../../src/runtime/log/logger.ts";
import { embeddedClient } from "../embedded-client.ts";
import { manualClock, settle } from "../../../../src/testing/manual-clock.ts";

const object = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "default", uid: "u1", resourceVersion: "7" },
};

function setUp() {
  const embedded = embeddedClient();
  const clock = manualClock(new Date(0));
  const errors: string[] = [];
  const log: Logger = { ...discardLogger, error: (_error, message) => void errors.push(message) };
  const broadcaster = new EventBroadcaster(embedded.client, log, clock);
  const stop = new AbortController();
  const done = broadcaster.start(stop.signal);
  return {
    ...embedded,
    embedded,
    clock,
    errors,
    stop,
    done,
    broadcaster,
    recorder: broadcaster.recorder("thing-controller"),
  };
}

describe("an event recorder", () => {
  it("writes an event of events.k8s.io about the object", async () => {
    const { recorder, client } = setUp();
    recorder.event(object, "Normal", "Created", "Create", "made it");
    await settle();
    const { items } = await client.list(Event, { namespace: "default" });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      reportingController: "thing-controller",
      type: "Normal",
      reason: "Created",
      action: "Create",
      note: "made it",
      regarding: {
        apiVersion: "example.com/v1",
        kind: "Thing",
        name: "a",
        namespace: "default",
        uid: "u1",
        resourceVersion: "7",
      },
      eventTime: expect.stringMatching(/\.\d{6}Z$/) as string,
    });
    expect(items[0]!.metadata.name).toMatch(/^a\.[0-9a-f]+$/);
  });

  it("writes annotations, and none on an event without them", async () => {
    const { recorder, client } = setUp();
    recorder.annotatedEvent({ "example.com/shard": "3" }, object, "Normal", "Moved", "Move", "moved it", object);
    recorder.event(object, "Normal", "Created", "Create", "made it");
    await settle();
    const { items } = await client.list(Event, { namespace: "default" });
    const [moved, created] = ["Moved", "Created"].map((reason) => items.find((event) => event.reason === reason)!);
    expect(moved!.metadata.annotations).toEqual({ "example.com/shard": "3" });
    expect(moved).toMatchObject({ note: "moved it", related: { name: "a" } });
    expect(created!.metadata.annotations).toBeUndefined();
  });

  it("counts a repeated event, and writes the count at the end of the series", async () => {
    const { recorder, client, clock, requests } = setUp();
    for (let n = 0; n < 5; n++) {
      recorder.event(object, "Warning", "Failed", "Reconcile", `try ${n}`);
      await settle();
    }
    expect(requests.map((request) => request.split(" ")[0])).toEqual(["POST", "PATCH"]);
    expect((await client.list(Event)).items[0]!.series?.count).toBe(2);
    await clock.advance(12 * 60_000);
    expect((await client.list(Event)).items[0]!.series?.count).toBe(5);
    recorder.event(object, "Warning", "Failed", "Reconcile", "again, much later");
    await settle();
    expect((await client.list(Event)).items).toHaveLength(2);
  });

  it("writes the count of a continuing series every half an hour", async () => {
    const { recorder, client, clock } = setUp();
    for (let minutes = 0; minutes < 40; minutes += 5) {
      recorder.event(object, "Warning", "Failed", "Reconcile", "again");
      await clock.advance(5 * 60_000);
    }
    const { items } = await client.list(Event);
    expect(items).toHaveLength(1);
    expect(items[0]!.series?.count).toBeGreaterThanOrEqual(7);
  });

  it("names a related object, which makes the event distinct", async () => {
    const { recorder, client } = setUp();
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default", uid: "u9" } };
    recorder.event(object, "Normal", "Created", "Create", "made it", pod);
    recorder.event(object, "Normal", "Created", "Create", "made it");
    await settle();
    const { items } = await client.list(Event);
    expect(items).toHaveLength(2);
    const related = { apiVersion: "v1", kind: "Pod", name: "p", namespace: "default", uid: "u9" };
    expect(items.map((item) => (item as { related?: object }).related)).toEqual(expect.arrayContaining([related]));
  });

  it("distinguishes reasons, objects and their kinds", async () => {
    const { recorder, client } = setUp();
    recorder.event(object, "Normal", "A", "X", "");
    recorder.event(object, "Normal", "B", "X", "");
    recorder.event({ ...object, metadata: { ...object.metadata, name: "b", uid: "u2" } }, "Normal", "A", "X", "");
    recorder.event({ ...object, kind: "Other" }, "Normal", "A", "X", "");
    await settle();
    const { items } = await client.list(Event);
    expect(new Set(items.map(({ metadata }) => metadata.name)).size).toBe(4);
  });

  it("writes events of cluster-scoped objects to the default namespace, and cuts notes to 1024 bytes", async () => {
    const { recorder, client } = setUp();
    const zone = { kind: "Zone", metadata: { name: "z" } };
    for (const [reason, letter] of Object.entries({ A: "x", B: "é", C: "€" }))
      recorder.event(zone, "Normal", reason, "X", letter.repeat(3000));
    await settle();
    const { items } = await client.list(Event, { namespace: "default" });
    const notes = Object.fromEntries(items.map(({ reason, note }) => [reason, note]));
    expect(notes).toEqual({ A: `${"x".repeat(1021)}…`, B: `${"é".repeat(510)}…`, C: `${"€".repeat(340)}…` });
  });

  it("counts an event that is in flight after its response", async () => {
    const { recorder, client, requests, embedded } = setUp();
    const arrive = embedded.holdBack();
    for (let n = 0; n < 3; n++) recorder.event(object, "Normal", "A", "X", "");
    await settle();
    expect(requests.map((request) => request.split(" ")[0])).toEqual(["POST"]);
    arrive();
    await settle();
    expect(requests.map((request) => request.split(" ")[0])).toEqual(["POST", "PATCH"]);
    expect((await client.list(Event)).items).toMatchObject([{ series: { count: 2 } }]);
  });

  it("accepts AlreadyExists for an event whose response was lost", async () => {
    const { recorder, client, clock, embedded, errors } = setUp();
    embedded.cut = "the answer";
    recorder.event(object, "Normal", "A", "X", "");
    await settle();
    embedded.cut = false;
    await clock.advance(13_000);
    expect((await client.list(Event)).items).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it("drops events if a thousand are waiting", async () => {
    const { recorder, client, embedded } = setUp();
    const arrive = embedded.holdBack();
    for (let n = 0; n < 1001; n++) recorder.event(object, "Normal", `R${n}`, "X", "");
    arrive();
    await settle();
    const { items } = await client.list(Event);
    expect(items).toHaveLength(1000);
    expect(items.some(({ reason }) => reason === "R1000")).toBe(false);
  });

  it("drops an event after twelve attempts, and immediately if the server rejects it", async () => {
    const { recorder, client, clock, requests, embedded, errors } = setUp();
    embedded.cut = true;
    recorder.event(object, "Normal", "A", "X", "");
    await clock.advance(12 * 12_500);
    expect(requests).toHaveLength(12);
    embedded.cut = false;
    recorder.event({ ...object, metadata: { name: "x", namespace: "Not A Name" } }, "Normal", "A", "X", "");
    await clock.advance(60_000);
    expect(requests).toHaveLength(13);
    expect(errors).toEqual(Array.from({ length: 2 }, () => "Server rejected event (will not retry!)"));
    expect((await client.list(Event)).items).toEqual([]);
  });

  it("starts a new series if its event was deleted", async () => {
    const { recorder, client } = setUp();
    recorder.event(object, "Normal", "A", "X", "");
    await settle();
    await client.deleteAllOf(Event, { namespace: "default" });
    recorder.event(object, "Normal", "A", "X", "");
    await settle();
    expect((await client.list(Event)).items).toMatchObject([{ series: { count: 2 } }]);
  });

  it("stops after the requests in flight have completed", async () => {
    const { recorder, client, embedded, stop, done } = setUp();
    const arrive = embedded.holdBack();
    recorder.event(object, "Normal", "A", "X", "");
    stop.abort();
    let ended = false;
    const end = done.then(() => (ended = true));
    await settle();
    expect(ended).toBe(false);
    arrive();
    await end;
    expect((await client.list(Event)).items).toHaveLength(1);
  });

  it("truncates the name of its instance, which the server would reject", async () => {
    const { client, broadcaster } = setUp();
    broadcaster
      .recorder(`${"controllers.".repeat(8)}example.com/memcached-controller`)
      .event(object, "Normal", "A", "X", "");
    await settle();
    const { items } = await client.list(Event);
    expect(items.map(({ reportingInstance }) => reportingInstance?.length)).toEqual([128]);
  });

  it("retries while the server is unreachable, and delivers before it stops", async () => {
    const { recorder, client, clock, embedded, stop, done } = setUp();
    embedded.cut = true;
    recorder.event(object, "Normal", "A", "X", "");
    await settle();
    embedded.cut = false;
    await clock.advance(13_000);
    expect((await client.list(Event)).items).toHaveLength(1);
    stop.abort();
    await done;
  });
});
