import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import type { LocalEvent } from "../../../../src/local/local-event.ts";
import type { OperatorEnd } from "../../../../src/local/operator/operator-process.ts";
import { runWatched } from "../../../../src/local/operator/supervise.ts";
import { patience } from "../../../patience.ts";

it.each([
  ["runs", new Promise<OperatorEnd>(() => {}), ["started", "problem", "started", "fixed"]],
  ["has ended", Promise.resolve({ code: 1 }), ["started", "problem", "started", "ended"]],
])("reports fixed types only if the operator with the fix %s", async (_, ended, expected) => {
  const events: string[] = [];
  const emit = ({ type }: LocalEvent): void => void events.push(type);
  const ends = [new Promise<OperatorEnd>(() => {}), ended];
  const findings = [new Error("a type error"), undefined];
  const changes = async function* (): AsyncGenerator<void> {
    await vi.waitUntil(() => events.includes("problem"), patience);
    yield;
    await vi.waitUntil(() => findings.length === 0, patience);
    await setImmediate();
  };
  const supervision = {
    prepare: async () => true,
    start: async () => ({ pid: 1, ended: ends.shift()!, stop: async () => {} }),
    check: async () => {
      const finding = findings.shift();
      if (finding) throw finding;
    },
    afterStart: async () => {},
    signal: new AbortController().signal,
    emit,
  };
  await runWatched(supervision, changes());
  expect(events).toEqual(expected);
});
