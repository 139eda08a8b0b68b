/** The whole response may take this many times as long as silence. */
const wholeFactor = 10;

/**
 * The time limits of a short request whose server never falls silent, so that no timeout of its socket fires: for the
 * head, from the end of the request, and for the whole response.
 */
export class ResponseDeadline {
  private readonly limitMs: number;
  private readonly started = performance.now();
  private sentAt = Infinity;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
  }

  /** Starts the time for the head. */
  sent(): void {
    this.sentAt = performance.now();
  }

  /** Throws if bytes that have just come are too late. */
  check(isInBody: boolean): void {
    const now = performance.now();
    const whole = this.limitMs * wholeFactor;
    if (!isInBody && now - this.sentAt > this.limitMs) throw late(this.limitMs);
    if (now - this.started > whole) throw late(whole);
  }
}

function late(ms: number): Error {
  return Object.assign(new Error(`no complete response within ${ms / 1000} s`), { code: "ETIMEDOUT" });
}
