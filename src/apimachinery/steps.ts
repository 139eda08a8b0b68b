/** A computation that may be interrupted between its steps, because all of them take long for a large object. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Carries out all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
