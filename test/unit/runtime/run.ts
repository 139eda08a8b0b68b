import { onTestFinished } from "vitest";
import type { Runnable } from "../../../src/runtime/runnable.ts";

/** Starts a runnable; the returned function stops it. */
export function run(runnable: Pick<Runnable, "start">): () => Promise<void> {
  const stop = new AbortController();
  const done = runnable.start(stop.signal);
  return () => {
    stop.abort();
    return done;
  };
}

/** Starts what runs until its signal; when the test has finished, it ends, and then the server that it asks. */
export function runInTest(
  start: (signal: AbortSignal) => Promise<void>,
  server?: { stop(): Promise<void> },
): { stop: AbortController; done: Promise<void> } {
  const stop = new AbortController();
  const done = start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await done;
    await server?.stop();
  });
  return { stop, done };
}
