import { setTimeout as sleep } from "node:timers/promises";

/**
 * Returns the result of `work`, or throws the reason of the signal as soon as it aborts. Work that cannot be stopped,
 * such as a running credential program, continues for other callers.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    const settled = (): void => signal.removeEventListener("abort", stop);
    work.then(resolve, reject).finally(settled);
  });
}

/** Resolves after `ms`, or rejects with the reason of the signal as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
