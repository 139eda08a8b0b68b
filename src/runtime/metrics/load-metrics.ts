import type { Metrics } from "./metrics.ts";

/** Loads prom-client and registers everything; only a manager with a metrics server pays for it. */
export async function loadMetrics(): Promise<Metrics> {
  const [{ createMetrics }, prometheus] = await Promise.all([import("./prometheus-metrics.ts"), import("prom-client")]);
  return createMetrics(prometheus);
}
