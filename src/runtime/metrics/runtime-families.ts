import type { Metric, Registry } from "prom-client";
import { HistogramFamily, NumberFamily, type MetricFamily } from "./metric-family.ts";

/**
 * The runtime's own metrics. prom-client's registry serves them beside those of the program, but it is loaded at the
 * first scrape, which always follows the first reconciles.
 */
export class RuntimeFamilies {
  private readonly families: MetricFamily[] = [];
  private loading: Promise<Registry> | undefined;

  counter(name: string, help: string): NumberFamily {
    return this.added(new NumberFamily("counter", name, help));
  }

  /** `collect` sets values at each scrape. */
  gauge(name: string, help: string, collect?: () => void): NumberFamily {
    return this.added(new NumberFamily("gauge", name, help, collect));
  }

  histogram(name: string, help: string, bounds: readonly number[]): HistogramFamily {
    return this.added(new HistogramFamily(name, help, bounds));
  }

  /** Returns prom-client's global registry with all metrics of the runtime. */
  async registry(): Promise<Registry> {
    // After a bundler splits chunks, only the default export with the whole CommonJS module is left.
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

/** Casts a family to prom-client's metric type, which consists of its own classes. */
function asMetric(family: MetricFamily): Metric {
  const { name, help, type } = family;
  const get = (): object => ({ name, help, type, values: family.samples(), aggregator: "sum" });
  const metric = { name, help, type, get, reset: () => family.reset() };
  return metric as unknown as Metric;
}
