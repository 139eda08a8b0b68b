import { describe, expect, it } from "vitest";
import { showLocal } from "../../../src/cli/steps/show-local.ts";
import type { LocalEvent } from "../../../src/local/local-event.ts";
import { memoryIo } from "./memory-io.ts";

const entry = (msg: string, level = "info"): string =>
  JSON.stringify({ level, ts: "2026-05-01T10:00:00Z", msg, controller: "memcached" });

/** Returns the printed form of an operator's log lines. */
function show(format: "pretty" | "json", lines: readonly string[]): { out: string; err: string } {
  const io = memoryIo();
  const emit = showLocal(io, format);
  for (const line of lines) emit({ type: "output", stream: "stderr", line } satisfies LocalEvent);
  emit({ type: "output", stream: "stdout", line: "printed" });
  emit({ type: "stopped" });
  return { out: io.out(), err: io.err() };
}

const steps = [
  "Stopping and waiting for non leader election runnables",
  "Shutdown signal received, waiting for all workers to finish",
  "All workers finished",
  "Stopping and waiting for caches",
  "Shutting down webhook server with timeout of 1 minute",
  "Shutting down metrics server with timeout of 1 minute",
  "shutting down server",
  "Wait completed, proceeding to shutdown the manager",
];

it.each<[Partial<Extract<LocalEvent, { type: "ended" }>>, string]>([
  [{}, "waiting for a change"],
  [{ restartMs: 2_500 }, "it starts again in 2.5 s"],
])("says what happens after the end of the operator: %j", (more, next) => {
  const io = memoryIo();
  showLocal(io, "pretty")({ type: "ended", reason: "exit code 1", ...more });
  expect(io.err()).toBe(`the operator exited: exit code 1; ${next}\n`);
});

it.each([
  [false, [], "webhooks are off, because the cluster cannot call this machine (ENABLE_WEBHOOKS=false)"],
  [true, [], "webhooks are off, by ENABLE_WEBHOOKS=false"],
  [
    true,
    ["Captain (v1, v2)"],
    "webhooks are off, by ENABLE_WEBHOOKS=false: the versions of Captain (v1, v2) are not converted, and requests that need it fail; to use them, unset ENABLE_WEBHOOKS",
  ],
])("says why webhooks are off: %j %j", (isOff, unconverted, line) => {
  const io = memoryIo();
  showLocal(io, "pretty")({ type: "webhooksLeftOut", isOff, unconverted });
  expect(io.err()).toBe(`${line}\n`);
});

it("reports a kind that the operator may define", () => {
  const io = memoryIo();
  showLocal(io, "pretty")({ type: "awaitsKind", kind: "Boat", file: "boat.yaml" });
  expect(io.err()).toBe("waiting for the operator to define Boat, of boat.yaml\n");
});

describe("the printed log of the operator", () => {
  it("shows times, levels and fields in plain text, and hides the steps of a shutdown", () => {
    const lines = [entry("Starting workers"), ...steps.map((msg) => entry(msg)), "no log line"];
    const { out, err } = show("pretty", lines);
    expect(out).toBe("printed\n");
    expect(err).toMatch(/^\d\d:\d\d:\d\d\.000 INFO {2}Starting workers controller=memcached\nno log line\nstopped\n$/);
  });

  it.each([
    entry("Stopping and waiting for caches", "error"),
    entry("All workers finished early"),
    "Stopping and waiting for caches",
  ])("shows a line that only resembles such a step: %s", (line) => {
    expect(show("pretty", [line]).err).toMatch(/(caches|early).*\nstopped\n$/);
  });

  it("shows a panic once", () => {
    const fields = { ts: 1, level: "error", stacktrace: "TypeError: odd\n    at reconcile (/p/a.ts:1:2)" };
    const lines = [
      { ...fields, msg: "Observed a panic", panic: "odd" },
      { ...fields, msg: "Reconciler error", error: "panic: odd [recovered]" },
    ];
    const { err } = show(
      "pretty",
      lines.map((line) => JSON.stringify(line)),
    );
    expect(err).toMatch(/ ERROR Observed a panic\n {2}TypeError: odd\n {6}at reconcile \(\/p\/a.ts:1:2\)\nstopped\n$/);
  });

  it("shows every line unchanged on its own stream with --log-format json", () => {
    const lines = [entry("Starting workers"), ...steps.map((msg) => entry(msg)), "no log line"];
    expect(show("json", lines)).toEqual({ out: "printed\n", err: `${lines.join("\n")}\nstopped\n` });
  });
});
