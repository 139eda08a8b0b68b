/**
 * Deadlines for conditions that must come true. A machine under load is slow, and a deadline costs time only on
 * failure, so it is generous: no test measures this time.
 */
export const patience: { readonly timeout: number; readonly interval: number } = { timeout: 40_000, interval: 20 };

/** Time until a real control plane is healthy; other work may slow down its start. */
export const startTimeoutMs: number = 180_000;
