/**
 * How long a test waits for what must happen. A machine under load is slow, and a deadline only costs when it fails: what
 * a test is about is never this time.
 */
export const patience: { readonly timeout: number; readonly interval: number } = { timeout: 40_000, interval: 20 };

/** How long a real control plane may take until it is healthy: it starts with whatever else runs. */
export const startTimeoutMs: number = 180_000;
