/**
 * The requests to reconcile. A request has one entry, however often it is added, and is not returned again while it is
 * being processed.
 */
export interface WorkQueue<R> {
  add(item: R, options?: AddOptions): void;
  /** Waits for the next request and returns it; returns `undefined` once the queue is shut down. */
  get(): Promise<Taken<R> | undefined>;
  /** Ends the processing of a request. If it was added meanwhile, it is due again. */
  done(item: R): void;
  /** Resets the failure count of a request. */
  forget(item: R): void;
  failures(item: R): number;
  /** Drops the waiting requests that match, with their failure counts; those in process end on their own. */
  discard?(matches: (item: R) => boolean): void;
  /** The number of due requests. */
  readonly length: number;
  /** The start times of all requests in process, on the queue's clock; for metrics. */
  readonly workStarts: Iterable<number>;
  shutDown(): void;
}

/** The time and priority of an item. */
export interface AddOptions {
  readonly afterMs?: number;
  /** Waits according to the rate limiter, and counts as a failure. */
  readonly rateLimited?: boolean;
  /** Higher priorities go first; the default is 0. A request keeps the highest priority that it was added with. */
  readonly priority?: number;
}

/** An item in process, until `done`. */
export interface Taken<R> {
  readonly item: R;
  readonly priority: number;
}

/** Observes a queue, for metrics. Times are in seconds; a queue without priorities passes none. */
export interface QueueObserver {
  added(priority: number | undefined): void;
  depth(priority: number | undefined, change: 1 | -1): void;
  taken(waited: number): void;
  finished(worked: number): void;
  retried(): void;
}

/** The priority of items that live changes overtake: the objects of the initial list, and resyncs. */
export const lowPriority = -100;
