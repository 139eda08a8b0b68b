import { isConflict } from "../apimachinery/status.ts";
import { pause } from "./transport/abortable.ts";

/** The number of attempts and the waits between them. */
export interface RetryOptions {
  /** The number of attempts; the default is 5. */
  readonly steps?: number;
  /** The first wait; the default is 10 ms. */
  readonly waitMs?: number;
  /** The factor by which each wait grows; the default is 1. */
  readonly factor?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `change` again after a conflict. It must read the object in each attempt. Other errors are rethrown.
 *
 * @example
 * await retryOnConflict(async () => {
 *   const fresh = await client.get(Memcached, request);
 *   fresh.spec.size = 3;
 *   return client.update(Memcached, fresh);
 * });
 */
export async function retryOnConflict<T>(change: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { steps = 5, waitMs = 10, factor = 1, signal } = options;
  for (let step = 1, wait = waitMs; ; step++, wait *= factor) {
    try {
      return await change();
    } catch (error) {
      if (!isConflict(error) || step >= steps) throw error;
    }
    await pause(wait * (1 + Math.random() * 0.1), signal);
  }
}
