/**
 * What is to be reconciled. One entry a request, however often it is added; a request that is worked on is not handed
 * out.
 */
export interface WorkQueue<R> {
  add(item: R, options?: AddOptions): void;
  /** The next request; waits for one. `undefined` once the queue is shut down. */
  get(): Promise<Taken<R> | undefined>;
  /** Ends the work on a request; if it was added meanwhile, it is due again. */
  done(item: R): void;
  /** Resets the failure count of a request. */
  forget(item: R): void;
  failures(item: R): number;
  /** Requests that are due now. */
  readonly length: number;
  /** When the work on each request under way began, on the queue's clock; for metrics. */
  readonly workStarts: Iterable<number>;
  shutDown(): void;
}

/** When an item is due, and how important it is. */
export interface AddOptions {
  readonly afterMs?: number;
  /** Waits as the rate limiter says, and counts as a failure. */
  readonly rateLimited?: boolean;
  /** Higher goes first; 0. A request keeps the highest priority that it was added with. */
  readonly priority?: number;
}

/** An item to work on, until `done`. */
export interface Taken<R> {
  readonly item: R;
  readonly priority: number;
}

/** What happens in a queue, for metrics. Times are in seconds; a queue without priorities gives none. */
export interface QueueObserver {
  added(priority: number | undefined): void;
  depth(priority: number | undefined, change: 1 | -1): void;
  taken(waited: number): void;
  finished(worked: number): void;
  retried(): void;
}

/** For what may wait while live changes go first: the objects of the initial list, and resyncs. */
export const lowPriority = -100;
