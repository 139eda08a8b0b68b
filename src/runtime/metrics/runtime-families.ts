import type { Metric, Registry } from "prom-client";
import { HistogramFamily, NumberFamily, type MetricFamily } from "./metric-family.ts";

/**
 * The runtime's own metrics. They are served from prom-client's registry, beside those of the program, but don't need it
 * to count: it loads when somebody looks, which is never before the first reconciles are done.
 */
export class RuntimeFamilies {
  private readonly families: MetricFamily[] = [];
  private loading: Promise<Registry> | undefined;

  counter(name: string, help: string): NumberFamily {
    return this.added(new NumberFamily("counter", name, help));
  }

  /** `collect` sets values when somebody looks. */
  gauge(name: string, help: string, collect?: () => void): NumberFamily {
    return this.added(new NumberFamily("gauge", name, help, collect));
  }

  histogram(name: string, help: string, bounds: readonly number[]): HistogramFamily {
    return this.added(new HistogramFamily(name, help, bounds));
  }

  /** prom-client's global registry, with all that is in here. */
  async registry(): Promise<Registry> {
    // The default export is the whole CommonJS module, and all that is left of it when a bundler splits chunks.
    this.loading ??= import("prom-client/lib/registry.js").then((module) => module.default.globalRegistry);
    const registry = await this.loading;
    for (const family of this.families) {
      if (!registry.getSingleMetric(family.name)) registry.registerMetric(asMetric(family));
    }
    return registry;
  }

  private added<Family extends MetricFamily>(family: Family): Family {
    this.families.push(family);
    return family;
  }
}

/** What a registry asks of a metric; prom-client's type of it is its own classes. */
function asMetric(family: MetricFamily): Metric {
  const { name, help, type } = family;
  const get = (): object => ({ name, help, type, values: family.samples(), aggregator: "sum" });
  const metric = { name, help, type, get, reset: () => family.reset() };
  return metric as unknown as Metric;
}
