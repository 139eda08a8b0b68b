/** Why a whole state is taken again: its version is too old, the server refused to go on, or has an older state itself. */
export type RelistReason = "expired" | "refused" | "restored";

/** Hears of what the watches of a kind do; for metrics. */
export interface WatchObserver {
  /** A whole state has come. */
  listed(): void;
  watching(): void;
  relisting(reason: RelistReason): void;
  /** `reason` is the API server's, `NotServed` for a kind that it doesn't know, or `Connection`. */
  failed(reason: string): void;
  /** Something came on a watch, were it only a bookmark. */
  received(bytes: number): void;
  /** How many objects more are in the store. */
  stored(change: number): void;
}
