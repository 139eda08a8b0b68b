import { setTimeout as wait } from "node:timers/promises";

/** How long to try, and how often. */
export interface EventuallyOptions {
  /** Milliseconds before it gives up; 5000. */
  readonly timeout?: number;
  /** Milliseconds between two tries; 20. */
  readonly interval?: number;
}

/**
 * Calls until it neither throws nor returns `false`, and returns the result; after the timeout the last failure is
 * thrown. For what an operator does in its own time.
 *
 * @example
 * const deployment = await eventually(() => client.get(Deployment, request));
 * await eventually(async () => (await client.get(Deployment, request)).status?.readyReplicas === 3);
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeout = 5_000, interval = 20 }: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const outcome = await tryOnce(attempt);
    if ("value" in outcome && outcome.value !== false) return outcome.value as Exclude<T, false>;
    if (performance.now() >= deadline) {
      throw "error" in outcome ? outcome.error : new Error(`the condition was still false after ${timeout} ms`);
    }
    await wait(interval);
  }
}

async function tryOnce<T>(attempt: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { error };
  }
}
