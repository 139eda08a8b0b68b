/**
 * The reason for listing again: the version is too old, the server rejected the watch, or the server has an older state
 * itself.
 */
export type RelistReason = "expired" | "refused" | "restored";

/** Observes the watches of a kind; for metrics. */
export interface WatchObserver {
  /** Called after each complete list. */
  listed(): void;
  watching(): void;
  relisting(reason: RelistReason): void;
  /** `reason` is the API server's, `NotServed` for an unknown kind, or `Connection`. */
  failed(reason: string): void;
  /** Called for everything received on a watch, bookmarks included. */
  received(bytes: number): void;
  /** The change in the number of stored objects. */
  stored(change: number): void;
  /** Called when the kind is no longer watched, so that its metrics can be removed. */
  forget(): void;
}
