/** A long-running part of a program: `start` runs it, and its promise settles when it has stopped. */
export interface Runnable {
  start(signal: AbortSignal): Promise<void>;
  /** False to run on every replica; absent or true to run on the leader only. */
  readonly needLeaderElection?: boolean;
  /**
   * True to run on every replica of a ring while it holds the lease of its shard, regardless of `needLeaderElection`.
   */
  readonly sharded?: boolean;
  /** Prepares while another replica leads; resolves when it is ready. */
  readonly warmUp?: (signal: AbortSignal) => Promise<void>;
  /**
   * Defined by runnables that others read from, such as a cluster: they run on every replica and start before
   * controllers, which wait for them.
   */
  readonly waitForSync?: (signal: AbortSignal) => Promise<boolean>;
}

/** Reports whether an error only says that a runnable ended because its signal aborted. */
export function isEndedBy(signal: AbortSignal, error: unknown): boolean {
  return signal.aborted && (error === signal.reason || (error as Error | undefined)?.name === "AbortError");
}
