import { abortable } from "../transport/abortable.ts";

interface SharedCall<T> {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Calls shared by concurrent callers: each is made once, cancelled when all callers have given up, and not cached. */
export class SharedCalls<T> {
  private readonly underWay = new Map<string, SharedCall<T>>();

  /** Returns the result of `call`, shared with concurrent callers of the same key. */
  async get(key: string, signal: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const current = this.underWay.get(key) ?? begin(call);
    this.underWay.set(key, current);
    current.waiting++;
    try {
      return await abortable(current.answer, signal);
    } finally {
      if (--current.waiting === 0) {
        this.underWay.delete(key);
        current.stop.abort();
      }
    }
  }
}

function begin<T>(call: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
  const stop = new AbortController();
  return { answer: call(stop.signal), stop, waiting: 0 };
}
