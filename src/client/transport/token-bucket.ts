/** Tokens that are added at a steady rate, up to a limit. */
export interface TokenBucket {
  /** Takes a token, in advance if there is none; returns the milliseconds to wait for it. */
  take(): number;
  /** Returns a token that is not needed. */
  giveBack(): void;
  /** Takes a token if there is one. */
  tryTake(): boolean;
}

/** Creates a full bucket of `burst` tokens that gains `perSecond` tokens. `now` returns milliseconds. */
export function tokenBucket(
  perSecond: number,
  burst: number,
  now: () => number = () => performance.now(),
): TokenBucket {
  let tokens = burst;
  let last = now();
  const refill = (): void => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * perSecond);
    last = time;
  };
  return {
    take() {
      refill();
      tokens -= 1;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    giveBack() {
      tokens = Math.min(burst, tokens + 1);
    },
    tryTake() {
      refill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
