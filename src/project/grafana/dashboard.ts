/** A query, and the name of its series. */
export interface Query {
  /** PromQL; `$target` stands for the labels of the operator. */
  readonly expr: string;
  /** Such as `{{controller}}`. */
  readonly legend?: string;
}

/** A diagram. */
export interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly type?: "timeseries" | "gauge";
  /** A unit of Grafana: `s`, `ops`, `bytes`, `percent`, `short` … */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** The width in columns, of which there are 24. */
  readonly width: number;
}

export interface Row {
  /** A heading; without one, the panels stand alone. */
  readonly title?: string;
  readonly panels: readonly Panel[];
}

/** The labels that Prometheus gives to the series of one operator; variables of the dashboard choose it. */
const target = 'job="$job", namespace="$namespace"';
const datasource = "${DS_PROMETHEUS}";
const height = 8;

/** Returns the 50th, 90th and 99th percentile of a histogram's observations, by its labels. */
export function percentiles(metric: string, by: string): Query[] {
  return [0.5, 0.9, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum(rate(${metric}_bucket{$target}[5m])) by (instance, ${by}, le))`,
    legend: `P${quantile * 100} {{${by}}} {{instance}}`,
  }));
}

/** Returns the rate of a counter, by its labels. */
export function rate(metric: string, ...by: readonly string[]): Query {
  return {
    expr: `sum(rate(${metric}{$target}[5m])) by (${["instance", ...by].join(", ")})`,
    legend: [...by, "instance"].map((label) => `{{${label}}}`).join(" "),
  };
}

/** Formats a dashboard for Grafana's import, which asks for the data source. */
export function formatDashboard(title: string, rows: readonly Row[]): string {
  const dashboard = {
    __inputs: [
      {
        name: "DS_PROMETHEUS",
        label: "Prometheus",
        description: "",
        ...plugin("datasource"),
        pluginName: "Prometheus",
      },
    ],
    __requires: [{ type: "datasource", id: "prometheus", name: "Prometheus", version: "1.0.0" }],
    title,
    tags: ["operator"],
    editable: true,
    schemaVersion: 39,
    time: { from: "now-15m", to: "now" },
    refresh: "",
    templating: { list: variables },
    panels: placePanels(rows),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function plugin(type: string): object {
  return { type, pluginId: "prometheus" };
}

const variables = [
  variable("namespace", "label_values(controller_runtime_reconcile_total, namespace)"),
  variable("job", 'label_values(controller_runtime_reconcile_total{namespace=~"$namespace"}, job)'),
];

function variable(name: string, query: string): object {
  return {
    name,
    type: "query",
    datasource,
    definition: query,
    query: { query, refId: "StandardVariableQuery" },
    refresh: 2,
    includeAll: false,
    multi: false,
  };
}

/** Places the panels of a row from left to right, in lines of 24 columns. */
function placePanels(rows: readonly Row[]): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    let x = 0;
    if (title !== undefined) {
      placed.push({
        id: placed.length + 1,
        type: "row",
        title,
        collapsed: false,
        panels: [],
        gridPos: { h: 1, w: 24, x, y },
      });
      y++;
    }
    for (const panel of panels) {
      if (x + panel.width > 24) [x, y] = [0, y + height];
      placed.push({ id: placed.length + 1, ...formatPanel(panel), gridPos: { h: height, w: panel.width, x, y } });
      x += panel.width;
    }
    y += height;
  }
  return placed;
}

function formatPanel({ title, description, type = "timeseries", unit, queries }: Panel): object {
  return {
    type,
    title,
    ...(description === undefined ? {} : { description }),
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: type === "gauge" ? gaugeOptions : timeseriesOptions,
    targets: queries.map(({ expr, legend = "{{instance}}" }, index) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + index),
      datasource,
      expr: expr.replaceAll("$target", target),
      legendFormat: legend,
    })),
  };
}

const timeseriesOptions = {
  legend: { displayMode: "table", placement: "bottom", showLegend: true, calcs: [] },
  tooltip: { mode: "multi", sort: "desc" },
};
const gaugeOptions = {
  reduceOptions: { calcs: ["lastNotNull"], fields: "", values: false },
  showThresholdLabels: false,
  showThresholdMarkers: true,
};
