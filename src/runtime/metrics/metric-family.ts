/** The label values of a series, in the order of the output. */
export type Labels = Readonly<Record<string, string>>;

/** A sample in the form of prom-client's registry. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** A metric for a registry. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** The same metric of single clusters; their samples follow the family's own. */
  readonly clusters: Set<ClusterFamily>;
  samples(): Sample[];
  /** Removes the series that have these labels, among others. */
  remove(labels: Labels): void;
  /** Resets all values to zero. */
  reset(): void;
}

/** The series of a metric that belong to one cluster of a fleet. */
export interface ClusterFamily {
  readonly cluster: string;
  readonly family: MetricFamily;
}

/** A number. The counting code keeps the series, so that counting is an addition and not a search by labels. */
export class NumberSeries {
  value = 0;

  inc(by = 1): void {
    this.value += by;
  }

  set(value: number): void {
    this.value = value;
  }

  reset(): void {
    this.value = 0;
  }
}

/** Counts of observations by upper bound. */
class HistogramSeries {
  readonly bounds: readonly number[];
  /** A count for each bound, and one for values above all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > bounds[index]!) index++;
    counts[index]!++;
    this.sum += value;
  }

  reset(): void {
    this.counts.fill(0);
    this.sum = 0;
  }
}

/** A metric whose series are found by their labels. */
abstract class LabelledFamily<S extends { reset(): void }> implements MetricFamily {
  abstract readonly type: MetricFamily["type"];
  readonly name: string;
  readonly help: string;
  readonly clusters: Set<ClusterFamily> = new Set();
  private readonly make: () => S;
  private readonly known = new Map<string, { readonly labels: Labels; readonly series: S }>();

  constructor(name: string, help: string, make: () => S) {
    this.name = name;
    this.help = help;
    this.make = make;
  }

  /** Returns the series of these labels, which must always have the same order. */
  with(labels: Labels = {}): S {
    const key = JSON.stringify(labels);
    const found = this.known.get(key) ?? { labels, series: this.make() };
    this.known.set(key, found);
    return found.series;
  }

  samples(): Sample[] {
    const own = [...this.known.values()].flatMap(({ labels, series }) => this.samplesOf(labels, series));
    const ofClusters = [...this.clusters].flatMap(({ cluster, family }) =>
      family.samples().map((sample) => ({ ...sample, labels: { ...sample.labels, cluster } })),
    );
    return [...own, ...ofClusters];
  }

  protected abstract samplesOf(labels: Labels, series: S): Sample[];

  remove(labels: Labels): void {
    const wanted = Object.entries(labels);
    for (const [key, { labels: own }] of this.known)
      if (wanted.every(([name, value]) => own[name] === value)) this.known.delete(key);
  }

  reset(): void {
    for (const { series } of this.known.values()) series.reset();
    for (const { family } of this.clusters) family.reset();
  }
}

/** A counter, or a gauge. */
export class NumberFamily extends LabelledFamily<NumberSeries> {
  readonly type: "counter" | "gauge";
  private readonly collect: (() => void) | undefined;

  /** `collect` sets values at each scrape. */
  constructor(type: "counter" | "gauge", name: string, help: string, collect?: () => void) {
    super(name, help, () => new NumberSeries());
    this.type = type;
    this.collect = collect;
  }

  override samples(): Sample[] {
    this.collect?.();
    return super.samples();
  }

  protected samplesOf(labels: Labels, { value }: NumberSeries): Sample[] {
    return [{ labels, value }];
  }
}

/** Cumulative counts by bounds, with sum and count. */
export class HistogramFamily extends LabelledFamily<HistogramSeries> {
  readonly type = "histogram";

  constructor(name: string, help: string, bounds: readonly number[]) {
    super(name, help, () => new HistogramSeries(bounds));
  }

  /** Returns a function that observes values with these labels; the series exists from the first observation on. */
  observer(labels: Labels): (value: number) => void {
    let series: HistogramSeries | undefined;
    return (value) => (series ??= this.with(labels)).observe(value);
  }

  protected samplesOf(labels: Labels, { bounds, counts, sum }: HistogramSeries): Sample[] {
    let count = 0;
    const buckets = counts.map((own, index) => {
      count += own;
      return { metricName: `${this.name}_bucket`, labels: { le: bounds[index] ?? "+Inf", ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
