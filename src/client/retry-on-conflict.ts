import { isConflict } from "../apimachinery/status.ts";
import { pause } from "./transport/abortable.ts";

/** How often to try, and how long to wait in between. */
export interface RetryOptions {
  /** How often to try at all; 5. */
  readonly steps?: number;
  /** The first wait; 10 ms. */
  readonly waitMs?: number;
  /** By how much each wait grows; 1. */
  readonly factor?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `change` again when somebody else was faster. It must read the object anew each time. Other errors pass.
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
