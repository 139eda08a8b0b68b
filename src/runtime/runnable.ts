/** Something with a life: it begins with `start`, and the promise settles when it has stopped. */
export interface Runnable {
  start(signal: AbortSignal): Promise<void>;
  /** False runs on every replica; absent or true only on the leader. */
  readonly needLeaderElection?: boolean;
  /** Prepares while another replica leads; resolves when it is ready. */
  readonly warmUp?: (signal: AbortSignal) => Promise<void>;
  /**
   * Present on what others read from, such as a cluster: it runs on every replica and starts before controllers do, which
   * wait for it.
   */
  readonly waitForSync?: (signal: AbortSignal) => Promise<boolean>;
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
