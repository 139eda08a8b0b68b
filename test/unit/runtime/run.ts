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
