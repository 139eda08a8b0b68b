import type { Runnable } from "../../../src/runtime/runnable.ts";

/** Starts something with a life; the function that it returns ends it. */
export function run(runnable: Pick<Runnable, "start">): () => Promise<void> {
  const stop = new AbortController();
  const done = runnable.start(stop.signal);
  return () => {
    stop.abort();
    return done;
  };
}
