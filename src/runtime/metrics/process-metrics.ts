import type { Registry } from "prom-client";

/**
 * Adds prom-client's metrics of the process (CPU, memory, event loop, garbage collection) to a registry, if nobody has.
 * They load with the first scrape: no operator's start should wait for them, and few programs in tests are ever asked.
 */
export async function addProcessMetrics(registry: Registry): Promise<void> {
  if (registry.getSingleMetric("process_cpu_seconds_total")) return;
  const collect = await import("prom-client/lib/defaultMetrics.js");
  if (!registry.getSingleMetric("process_cpu_seconds_total")) collect.default({ register: registry });
}
