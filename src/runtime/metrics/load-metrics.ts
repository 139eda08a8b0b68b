import type { Metrics } from "./metrics.ts";

/** Loads what it needs of prom-client and registers everything; only a manager with a metrics server pays for it. */
export async function loadMetrics(): Promise<Metrics> {
  // The default export is the whole CommonJS module, and all that is left of it when a bundler splits chunks.
  const [{ createMetrics }, registry, counter, gauge, histogram] = await Promise.all([
    import("./prometheus-metrics.ts"),
    import("prom-client/lib/registry.js"),
    import("prom-client/lib/counter.js"),
    import("prom-client/lib/gauge.js"),
    import("prom-client/lib/histogram.js"),
  ]);
  return createMetrics({
    register: registry.default.globalRegistry,
    Counter: counter.default,
    Gauge: gauge.default,
    Histogram: histogram.default,
  });
}
