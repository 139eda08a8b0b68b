import { onTestFinished } from "vitest";

/** Starts what runs until its signal, and ends it when the test has finished. */
export function runInTest(start: (signal: AbortSignal) => Promise<void>): {
  stop: AbortController;
  done: Promise<void>;
} {
  const stop = new AbortController();
  const done = start(stop.signal);
  onTestFinished(() => {
    stop.abort();
    return done;
  });
  return { stop, done };
}
