/** Tokens that come at a steady rate, and pile up to a limit while nobody takes them. */
export interface TokenBucket {
  /** Takes a token, in advance if there is none: returns how many milliseconds to wait for it. */
  take(): number;
  /** Puts back a token that was taken and is not needed after all. */
  giveBack(): void;
  /** Takes a token if there is one. */
  tryTake(): boolean;
}

/** A full bucket of `burst` tokens that gets `perSecond` new ones. `now` tells milliseconds. */
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
