import type { Registry } from "prom-client";
import { loadPromClient } from "./load-prom-client.ts";

/**
 * Adds prom-client's metrics of the process (CPU, memory, event loop, garbage collection) to a registry, unless it has
 * them. They are loaded with the first scrape, so that they do not delay the start of an operator.
 */
export async function addProcessMetrics(registry: Registry): Promise<void> {
  if (registry.getSingleMetric("process_cpu_seconds_total")) return;
  const collect = await loadPromClient(() => import("prom-client/lib/defaultMetrics.js"));
  if (!registry.getSingleMetric("process_cpu_seconds_total")) collect.default({ register: registry });
}
