import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Registry } from "prom-client";

/**
 * Loads a file of prom-client by `load`, which contains the import for bundlers to see; throws a TsopError if the
 * program's bundle cannot load it, which nothing has shown before the first scrape.
 */
export async function loadPromClient<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw new TsopError("TSOP_PROM_CLIENT", { reason: messageOf(error) }, { cause: error });
  }
}

/**
 * Adds prom-client's metrics of the process (CPU, memory, event loop, garbage collection) to a registry, unless it has
 * them. They are loaded with the first scrape, so that they do not delay the start of an operator.
 */
export async function addProcessMetrics(registry: Registry): Promise<void> {
  if (registry.getSingleMetric("process_cpu_seconds_total")) return;
  const collect = await loadPromClient(() => import("prom-client/lib/defaultMetrics.js"));
  if (!registry.getSingleMetric("process_cpu_seconds_total")) collect.default({ register: registry });
}
