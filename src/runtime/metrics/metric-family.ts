/** The values of a series' labels, in the order in which they are printed. */
export type Labels = Readonly<Record<string, string>>;

/** A line of what is served; the form is that of prom-client's registry. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** What a registry wants to know of a metric. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  samples(): Sample[];
  /** Begins at zero again. */
  reset(): void;
}

/** One number: who counts keeps it, so that counting is an addition and not a search by labels. */
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

/** How many observations are at most as large as each bound. */
class HistogramSeries {
  readonly bounds: readonly number[];
  /** One count for each bound, and one for what is above all of them. */
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

/** The series of one metric, found by their labels. */
class SeriesByLabels<S extends { reset(): void }> {
  private readonly make: () => S;
  private readonly known = new Map<string, { readonly labels: Labels; readonly series: S }>();

  constructor(make: () => S) {
    this.make = make;
  }

  with(labels: Labels): S {
    const key = JSON.stringify(labels);
    const found = this.known.get(key) ?? { labels, series: this.make() };
    this.known.set(key, found);
    return found.series;
  }

  map<R>(each: (labels: Labels, series: S) => R): R[] {
    return Array.from(this.known.values(), ({ labels, series }) => each(labels, series));
  }

  reset(): void {
    for (const { series } of this.known.values()) series.reset();
  }
}

/** A counter, or a gauge. */
export class NumberFamily implements MetricFamily {
  readonly type: "counter" | "gauge";
  readonly name: string;
  readonly help: string;
  private readonly series = new SeriesByLabels(() => new NumberSeries());
  private readonly collect: (() => void) | undefined;

  /** `collect` sets values when somebody looks. */
  constructor(type: "counter" | "gauge", name: string, help: string, collect?: () => void) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.collect = collect;
  }

  /** Labels are written in the same order each time. */
  with(labels: Labels = {}): NumberSeries {
    return this.series.with(labels);
  }

  samples(): Sample[] {
    this.collect?.();
    return this.series.map((labels, { value }) => ({ labels, value }));
  }

  reset(): void {
    this.series.reset();
  }
}

/** Cumulative counts by bounds, with sum and count. */
export class HistogramFamily implements MetricFamily {
  readonly type = "histogram";
  readonly name: string;
  readonly help: string;
  private readonly series: SeriesByLabels<HistogramSeries>;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.series = new SeriesByLabels(() => new HistogramSeries(bounds));
  }

  /** Labels are written in the same order each time. */
  with(labels: Labels): HistogramSeries {
    return this.series.with(labels);
  }

  /** Observes under these labels; there are no buckets before the first time. */
  observer(labels: Labels): (value: number) => void {
    let series: HistogramSeries | undefined;
    return (value) => (series ??= this.with(labels)).observe(value);
  }

  samples(): Sample[] {
    return this.series.map((labels, series) => this.samplesOf(labels, series)).flat();
  }

  reset(): void {
    this.series.reset();
  }

  private samplesOf(labels: Labels, { bounds, counts, sum }: HistogramSeries): Sample[] {
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
