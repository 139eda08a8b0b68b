/**
 * A computation that may be interrupted between its steps, because all of them take long for a large object. A step may
 * end with a promise, for which the next one waits.
 */
export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>;

/** Carries out all steps at once; none of them may have to wait. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (value) throw new Error("a step waits");
  }
}
