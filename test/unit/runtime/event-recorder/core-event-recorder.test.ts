import { describe, expect, it, vi, afterEach, beforeEach } from "vitest";
import { Event } from "../../../../src/k8s/core/v1.ts";
import { EventBroadcaster } from "../../../../src/runtime/event-recorder/event-recorder.ts";
import { EventCorrelator } from "../../../../src/runtime/event-recorder/event-correlator.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { embeddedClient } from "../embedded-client.ts";
import { manualClock, settle, type ManualClock } from "../../../../src/testing/manual-clock.ts";
import { EventNames } from "../../../../src/runtime/event-recorder/core-event-recorder.ts";

const object = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "default", uid: "u1", resourceVersion: "7" },
};

function setUp() {
  const embedded = embeddedClient();
  const { client, requests } = embedded;
  const clock = manualClock(new Date(0));
  const recorder = new EventBroadcaster(client, discardLogger, clock).coreRecorder("thing-controller");
  return { client, requests, embedded, clock, recorder };
}

describe("an event of core/v1", () => {
  it("names the reporter, the reason and the object", async () => {
    const { recorder, client } = setUp();
    recorder.event(object, "Warning", "Failed", "it broke");
    await settle();
    const { items } = await client.list(Event, { namespace: "default" });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      involvedObject: { apiVersion: "example.com/v1", kind: "Thing", name: "a", uid: "u1", resourceVersion: "7" },
      type: "Warning",
      reason: "Failed",
      message: "it broke",
      count: 1,
      source: { component: "thing-controller" },
      reportingComponent: "thing-controller",
      firstTimestamp: expect.stringMatching(/^[^.]+Z$/) as string,
    });
  });

  it("is counted if repeated, for any version of the object", async () => {
    const { recorder, client, requests } = setUp();
    for (let n = 0; n < 3; n++) {
      recorder.event({ ...object, metadata: { ...object.metadata, resourceVersion: `${n}` } }, "Normal", "A", "same");
      await settle();
    }
    expect(requests.map((request) => request.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH"]);
    expect((await client.list(Event)).items).toMatchObject([{ count: 3, message: "same" }]);
  });

  it("has the times of its first and last occurrence", async () => {
    const { recorder, client } = setUp();
    const times = ["2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"];
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const time of times) {
      vi.setSystemTime(time);
      recorder.event(object, "Normal", "A", "same");
      await settle();
    }
    vi.useRealTimers();
    const [firstTimestamp, lastTimestamp] = times;
    expect((await client.list(Event)).items).toMatchObject([{ count: 2, firstTimestamp, lastTimestamp }]);
  });

  it("is counted in order, even while the first request is in flight", async () => {
    const { recorder, client, requests, embedded } = setUp();
    const arrive = embedded.holdBack();
    for (let n = 0; n < 3; n++) recorder.event(object, "Normal", "A", "same");
    await settle();
    expect(requests).toHaveLength(1);
    arrive();
    await settle();
    expect(requests.map((request) => request.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH"]);
    expect((await client.list(Event)).items).toMatchObject([{ count: 3 }]);
  });

  it("starts again if the counted event was deleted", async () => {
    const { recorder, client } = setUp();
    recorder.event(object, "Normal", "A", "same");
    await settle();
    await client.deleteAllOf(Event, { namespace: "default" });
    recorder.event(object, "Normal", "A", "same");
    await settle();
    expect((await client.list(Event)).items).toMatchObject([{ count: 2 }]);
  });

  it("aggregates many events that differ only in their message", async () => {
    const { recorder, client } = setUp();
    for (let n = 1; n <= 12; n++) {
      recorder.event(object, "Normal", "A", `try ${n}`);
      await settle();
    }
    const { items } = await client.list(Event);
    expect(items).toHaveLength(10);
    const combined = items.find(({ message }) => message?.startsWith("(combined from similar events): "));
    expect(combined).toMatchObject({ message: "(combined from similar events): try 12", count: 3 });
  });
});

describe("the correlator of events", () => {
  it("decides like client-go v0.36.3, whose decisions for the same events are recorded here", async () => {
    const clock = manualClock(new Date(0));
    const correlator = new EventCorrelator(clock);
    const one = (reason: string, message: string): string => {
      const verdict = correlator.correlate({ component: "c", type: "Normal", object: "o", reason, message });
      if (verdict.action === "drop") return "drop";
      return verdict.action === "count" ? `count ${verdict.count} ${verdict.message}` : `create ${verdict.message}`;
    };
    const combined = "(combined from similar events): try";
    expect(Array.from({ length: 3 }, () => one("same", "m"))).toEqual(["create m", "count 2 m", "count 3 m"]);
    expect(Array.from({ length: 12 }, (_, n) => one("vary", `try ${n + 1}`))).toEqual([
      ...Array.from({ length: 9 }, (_, n) => `create try ${n + 1}`),
      `create ${combined} 10`,
      `count 2 ${combined} 11`,
      `count 3 ${combined} 12`,
    ]);
    expect(Array.from({ length: 12 }, (_, n) => one(`r${n}`, "m"))).toEqual([
      ...Array.from({ length: 10 }, () => "create m"),
      "drop",
      "drop",
    ]);
    await clock.advance(299_000);
    expect(one("same", "m")).toBe("drop");
    await clock.advance(1_000);
    expect([one("same", "m"), one("same", "m")]).toEqual(["count 5 m", "drop"]);
    await clock.advance(700_000);
    expect([one("vary", "try 99"), one("vary", "try 100")]).toEqual(["create try 99", "create try 100"]);
  });

  const identity = { component: "c", type: "Normal", object: "o" };

  /** Returns the decisions for a series of events: `create`, `count 2`, `drop`. */
  function verdicts(
    clock: ManualClock,
    count: number,
    correlator = new EventCorrelator(clock),
    vary = false,
  ): string[] {
    return Array.from({ length: count }, (_, n) => {
      const verdict = correlator.correlate({ ...identity, reason: vary ? `r${n}` : "r", message: "m" });
      return verdict.action === "count" ? `count ${verdict.count}` : verdict.action;
    });
  }

  it("allows 25 events per object, and then one every five minutes", async () => {
    const clock = manualClock(new Date(0));
    const correlator = new EventCorrelator(clock);
    expect(verdicts(clock, 26, correlator, true).slice(23)).toEqual(["create", "create", "drop"]);
    await clock.advance(299_000);
    expect(verdicts(clock, 1, correlator)).toEqual(["drop"]);
    await clock.advance(1_000);
    expect(verdicts(clock, 2, correlator)).toEqual(["count 2", "drop"]);
  });

  it("forgets similar events after ten minutes", async () => {
    const clock = manualClock(new Date(0));
    const correlator = new EventCorrelator(clock);
    const one = (n: number) => correlator.correlate({ ...identity, reason: "r", message: `m${n}` });
    for (let n = 0; n < 9; n++) one(n);
    await clock.advance(600_001);
    expect(one(9)).toMatchObject({ action: "create", message: "m9" });
  });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const regarding = { metadata: { namespace: "default", name: "one" } };

it("names events of the same moment differently", () => {
  const names = new EventNames();
  const given = Array.from({ length: 3 }, () => names.next(regarding).name);
  expect(new Set(given).size).toBe(3);
});

it("follows the clock of its own manager, not another manager's", () => {
  vi.setSystemTime("2026-11-01T00:00:00Z");
  new EventNames().next(regarding);
  vi.setSystemTime("2026-01-01T00:00:00Z");
  const stamp = (BigInt(Date.now()) * 1_000_000n).toString(16);
  expect(new EventNames().next(regarding)).toEqual({ namespace: "default", name: `one.${stamp}` });
});
