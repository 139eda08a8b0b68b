import { setMaxListeners } from "node:events";

/** An AbortController that also aborts with others. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  /** Forgets the others: from then on, the signal aborts only by `abort`. */
  readonly release: () => void;
}

/**
 * Creates an AbortController that also aborts with each of its parents, until it is released. A signal of
 * `AbortSignal.any` takes memory as long as its sources live, and the signals of a manager live as long as the program.
 */
export function linkAbort(...parents: readonly AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const follow = ({ target }: Event): void => abort((target as AbortSignal).reason);
  const release = (): void => {
    for (const parent of parents) parent.removeEventListener("abort", follow);
  };
  const abort = (reason?: unknown): void => {
    release();
    own.abort(reason);
  };
  const aborted = parents.find((parent) => parent.aborted);
  if (aborted) abort(aborted.reason);
  else for (const parent of parents) parent.addEventListener("abort", follow);
  // The reconciles of a controller, and the controllers of a manager, have the same parent, and many may listen to one.
  setMaxListeners(0, own.signal, ...parents);
  return { signal: own.signal, abort, release };
}
