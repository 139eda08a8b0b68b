/**
 * Takes a token from a bucket that holds `burst` and gets `perSecond` new ones; returns how many milliseconds to wait
 * for it. Tokens may be taken in advance, so those who come later wait longer.
 */
export type TokenBucket = () => number;

/** A full bucket. `now` tells milliseconds. */
export function tokenBucket(
  perSecond: number,
  burst: number,
  now: () => number = () => performance.now(),
): TokenBucket {
  let tokens = burst;
  let last = now();
  return () => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * perSecond) - 1;
    last = time;
    return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
  };
}
