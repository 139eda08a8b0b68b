import type { Metric, Registry } from "prom-client";
import { loadPromClient } from "./load-prom-client.ts";
import { HistogramFamily, NumberFamily, type MetricFamily } from "./metric-family.ts";

/** Creates metrics of the process, or of one cluster. */
export interface Families {
  counter(name: string, help: string): NumberFamily;
  /** `collect` sets values at each scrape. */
  gauge(name: string, help: string, collect?: () => void): NumberFamily;
  histogram(name: string, help: string, bounds: readonly number[]): HistogramFamily;
}

/**
 * The runtime's own metrics. prom-client's registry serves them with those of the program, but it is loaded at the
 * first scrape, which always follows the first reconciles.
 */
export class RuntimeFamilies implements Families {
  private readonly families = new Map<string, MetricFamily>();
  private loading: Promise<{ readonly default: { readonly globalRegistry: Registry } }> | undefined;

  counter(name: string, help: string): NumberFamily {
    return this.added(new NumberFamily("counter", name, help));
  }

  gauge(name: string, help: string, collect?: () => void): NumberFamily {
    return this.added(new NumberFamily("gauge", name, help, collect));
  }

  histogram(name: string, help: string, bounds: readonly number[]): HistogramFamily {
    return this.added(new HistogramFamily(name, help, bounds));
  }

  /** Returns prom-client's global registry with all metrics of the runtime. */
  async registry(): Promise<Registry> {
    // After a bundler splits chunks, only the default export with the whole CommonJS module is left.
    this.loading ??= loadPromClient(() => import("prom-client/lib/registry.js"));
    const { globalRegistry: registry } = (await this.loading).default;
    for (const family of this.families.values()) {
      if (!registry.getSingleMetric(family.name)) registry.registerMetric(asMetric(family));
    }
    return registry;
  }

  /**
   * Returns the metrics of a cluster, whose series carry its name. `release` removes them: nothing of a cluster that
   * has left may remain.
   */
  ofCluster(cluster: string): Families & { readonly release: () => void } {
    const removals: (() => void)[] = [];
    const part = <Family extends MetricFamily>(family: Family, whole: () => MetricFamily): Family => {
      const { clusters } = this.families.get(family.name) ?? whole();
      const own = { cluster, family };
      clusters.add(own);
      removals.push(() => clusters.delete(own));
      return family;
    };
    return {
      counter: (name, help) => part(new NumberFamily("counter", name, help), () => this.counter(name, help)),
      gauge: (name, help, collect) =>
        part(new NumberFamily("gauge", name, help, collect), () => this.gauge(name, help)),
      histogram: (name, help, bounds) =>
        part(new HistogramFamily(name, help, bounds), () => this.histogram(name, help, bounds)),
      release() {
        for (const remove of removals.splice(0)) remove();
      },
    };
  }

  private added<Family extends MetricFamily>(family: Family): Family {
    this.families.set(family.name, family);
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
