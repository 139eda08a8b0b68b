import type * as Prometheus from "prom-client";
import type { Metrics } from "./metrics.ts";

/** Loads prom-client and registers everything; only a manager with a metrics server pays for it. */
export async function loadMetrics(): Promise<Metrics> {
  const [{ createMetrics }, prometheus] = await Promise.all([import("./prometheus-metrics.ts"), import("prom-client")]);
  // The default export is the whole CommonJS module, and all that is left of it when a bundler splits chunks.
  return createMetrics((prometheus as unknown as { default: typeof Prometheus }).default);
}
