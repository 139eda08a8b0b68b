import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EventNames } from "../../../../src/runtime/event-recorder/core-event-recorder.ts";

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
