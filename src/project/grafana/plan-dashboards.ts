import { join } from "node:path";
import type { Disk } from "../../files/disk.ts";
import { sealText } from "../../files/edited.ts";
import { planSealed } from "../../files/plan-sealed.ts";
import type { Plan } from "../../files/plan.ts";
import type { LoadedProject } from "../load-project.ts";
import { recordProject } from "../parse-project.ts";
import { withPlugin } from "../project.ts";
import { formatDashboard, type Row, type Panel, type Query } from "./dashboard.ts";
import { resourceRows, runtimeRows } from "./operator-panels.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { parseYamlDocuments, YamlError } from "../../apimachinery/yaml/parse.ts";
import { TsopError } from "../../errors/tsop-error.ts";

const folder = "grafana";
const configFile = "custom-metrics/config.yaml";
const pluginKey = "grafana.kubebuilder.io/v1-alpha";

/** Plans the dashboards of a project, and the record in PROJECT. `kept` are those that were edited by hand. */
export async function planDashboards(
  { root, project, text }: LoadedProject,
  { force }: { readonly force: boolean },
  disk: Pick<Disk, "read" | "list">,
): Promise<{ readonly plan: Plan; readonly kept: readonly string[] }> {
  const config = (await disk.read(join(root, folder, configFile))) ?? customConfig;
  const custom = parseCustomMetrics(config, `${folder}/${configFile}`);
  const dashboards: [path: string, title: string, rows: readonly Row[]][] = [
    ["controller-runtime-metrics.json", "Controller-Runtime-Metrics", runtimeRows],
    ["controller-resources-metrics.json", "Controller-Resources-Metrics", resourceRows],
    ["custom-metrics/custom-metrics-dashboard.json", "Custom-Metrics", [{ panels: custom }]],
  ];
  const files = dashboards.map(([path, title, rows]) => ({
    path,
    text: sealText(formatDashboard(title, rows), (content) => `  "$comment": "${content}",`),
  }));
  const all = [{ path: configFile, text: config, once: true }, ...files];
  const { changes, kept } = await planSealed(all, { root, folder, force }, disk);
  const recorded = recordProject(withPlugin(project, pluginKey, true, {}), text);
  return { plan: { root, changes: [...changes, ...recorded] }, kept };
}

/** The file in which users list metrics of their own. */
const customConfig = `# Metrics of your own for custom-metrics-dashboard.json. Write it again with: tsop edit --plugins grafana
customMetrics: []
# - metric: memcached_evictions_total # required
#   type: counter # required: counter, gauge or histogram
#   unit: ops # optional, a unit of Grafana: s, bytes, percent, short …
#   expr: sum(rate(memcached_evictions_total{job="$job", namespace="$namespace"}[5m])) by (instance) # optional, PromQL
`;

/** Parses the file; returns a panel for each metric. `file` is its name in messages. */
export function parseCustomMetrics(text: string, file: string): Panel[] {
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_GRAFANA_CONFIG", { file, reason });
  };
  const value = parse(text, refuse) ?? {};
  if (!isObject(value)) return refuse("it must be a map with customMetrics");
  const { customMetrics: list = [], ...others } = value;
  refuseUnknown("", others, refuse);
  if (!Array.isArray(list)) return refuse("customMetrics must be a list");
  return list.map((entry: unknown, index) => {
    const { metric, type, unit, expr, ...unknown } = isObject(entry) ? entry : {};
    const place = `customMetrics[${index}]`;
    refuseUnknown(`${place}.`, unknown, refuse);
    if (typeof metric !== "string" || !/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(metric))
      return refuse(`${place}.metric must be the name of a metric, not ${JSON.stringify(metric)}`);
    if (!isType(type)) return refuse(`${place}.type must be counter, gauge or histogram, not ${JSON.stringify(type)}`);
    if (unit !== undefined && typeof unit !== "string") return refuse(`${place}.unit must be a text`);
    if (expr !== undefined && typeof expr !== "string") return refuse(`${place}.expr must be a text`);
    const query = expr === undefined ? queryOf[type](metric) : { expr };
    return { title: `${metric} (${type})`, unit: unit ?? defaultUnits[type], width: 24, queries: [query] };
  });
}

/** A misspelled field would leave a metric out. */
function refuseUnknown(place: string, fields: object, refuse: (reason: string) => never): void {
  const [name] = Object.keys(fields);
  if (name !== undefined) refuse(`${place}${name} is unknown`);
}

function parse(text: string, refuse: (reason: string) => never): unknown {
  try {
    return parseYamlDocuments(text).find(Boolean);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return refuse(`line ${error.line}: ${error.reason}`);
  }
}

type MetricType = "counter" | "gauge" | "histogram";

const queryOf: Readonly<Record<MetricType, (metric: string) => Query>> = {
  counter: (metric) => ({ expr: `sum(rate(${metric}{$target}[5m])) by (instance, pod)`, legend: "{{pod}}" }),
  gauge: (metric) => ({ expr: `${metric}{$target}`, legend: "{{pod}}" }),
  histogram: (metric) => ({
    expr: `histogram_quantile(0.9, sum(rate(${metric}_bucket{$target}[5m])) by (instance, le))`,
    legend: "P90 {{instance}}",
  }),
};

const defaultUnits: Readonly<Record<MetricType, string>> = { counter: "ops", gauge: "short", histogram: "s" };

function isType(value: unknown): value is MetricType {
  return typeof value === "string" && Object.hasOwn(queryOf, value);
}
