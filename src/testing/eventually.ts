import { setTimeout as wait } from "node:timers/promises";

/** Timeout and interval of `eventually`. */
export interface EventuallyOptions {
  /** Timeout in milliseconds; 10000 by default. */
  readonly timeout?: number;
  /** Milliseconds between two calls; 20 by default. */
  readonly interval?: number;
}

/**
 * Repeats a call until it neither throws nor returns `false`, and returns the result. After the timeout throws the last
 * failure, even if a call has not ended.
 *
 * @example
 * const deployment = await eventually(() => client.get(Deployment, request));
 * await eventually(async () => (await client.get(Deployment, request)).status?.readyReplicas === 3);
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeout = 10_000, interval = 20 }: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const deadline = performance.now() + timeout;
  let failure: unknown = new Error(`the first call had not ended after ${timeout} ms`);
  for (;;) {
    const outcome = await withinTime(tryOnce(attempt), deadline - performance.now());
    if (outcome === undefined) throw failure;
    if ("value" in outcome && outcome.value !== false) return outcome.value as Exclude<T, false>;
    failure = "error" in outcome ? outcome.error : new Error(`the condition was still false after ${timeout} ms`);
    if (performance.now() >= deadline) throw failure;
    await wait(interval);
  }
}

/** Duration and interval of `consistently`. */
export interface ConsistentlyOptions {
  /** Duration in milliseconds; 500 by default. */
  readonly duration?: number;
  /** Milliseconds between two calls; 20 by default. */
  readonly interval?: number;
}

/**
 * Repeats a call for a duration, and throws as soon as a call throws or returns `false`. Returns the result of the last
 * call.
 *
 * @example
 * await consistently(async () => (await client.list(Deployment)).items.length === 0, { duration: 300 });
 */
export async function consistently<T>(
  attempt: () => T | Promise<T>,
  { duration = 500, interval = 20 }: ConsistentlyOptions = {},
): Promise<Exclude<T, false>> {
  const begin = performance.now();
  for (;;) {
    const value = await attempt();
    const passed = performance.now() - begin;
    if (value === false) throw new Error(`the condition was false after ${Math.round(passed)} ms`);
    if (passed >= duration) return value as Exclude<T, false>;
    await wait(interval);
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

async function tryOnce<T>(attempt: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { error };
  }
}

/** Returns the outcome, or `undefined` after the timeout. */
async function withinTime<T>(outcome: Promise<T>, ms: number): Promise<T | undefined> {
  const over = new AbortController();
  const timeUp = wait(Math.max(ms, 1), undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([outcome, timeUp]);
  } finally {
    over.abort();
  }
}
