/** A metric that a query reads, with the labels that it names. */
export interface Use {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Labels that Prometheus adds to all series of an operator. */
const ofTarget = new Set(["job", "namespace", "pod", "instance", "container"]);

/** Lists the metrics of a PromQL expression, which each have a selector, and the labels of `by` and of the legend. */
export function usesOf(expr: string, legend = ""): Use[] {
  const metrics = [...expr.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)];
  if (metrics.length === 0) throw new Error(`no metric with a selector in: ${expr}`);
  const groups = [...expr.matchAll(/by\s*\(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(","));
  const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
  return metrics.map(([, metric = "", selector = ""]) => {
    const selected = [...selector.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = ""]) => label);
    const labels = [...groups.map((label) => label.trim()), ...named, ...selected];
    return { metric, labels: [...new Set(labels)].filter((label) => !ofTarget.has(label)) };
  });
}

/** The queries of the dashboards that kubebuilder 4.16 writes into a Go project (grafana/v1-alpha), with their legends. */
export const kubebuilderQueries: readonly (readonly [expr: string, legend: string])[] = [
  ['controller_runtime_active_workers{job="$job", namespace="$namespace"}', "{{controller}} {{instance}}"],
  [
    'sum(rate(controller_runtime_reconcile_total{job="$job", namespace="$namespace"}[5m])) by (instance, pod)',
    "{{instance}} {{pod}}",
  ],
  [
    'sum(rate(controller_runtime_reconcile_errors_total{job="$job", namespace="$namespace"}[5m])) by (instance, pod)',
    "{{instance}} {{pod}}",
  ],
  ['workqueue_depth{job="$job", namespace="$namespace"}', ""],
  ...["workqueue_queue_duration_seconds", "workqueue_work_duration_seconds"].flatMap((metric) =>
    ["0.50", "0.90", "0.99"].map(
      (quantile) =>
        [
          `histogram_quantile(${quantile}, sum(rate(${metric}_bucket{job="$job", namespace="$namespace"}[5m])) by (instance, name, le))`,
          "{{name}} {{instance}}",
        ] as const,
    ),
  ),
  [
    'sum(rate(workqueue_adds_total{job="$job", namespace="$namespace"}[5m])) by (instance, name)',
    "{{name}} {{instance}}",
  ],
  ['rate(workqueue_unfinished_work_seconds{job="$job", namespace="$namespace"}[5m])', ""],
  [
    'sum(rate(workqueue_retries_total{job="$job", namespace="$namespace"}[5m])) by (instance, name)',
    "{{name}} {{instance}} ",
  ],
  [
    'rate(process_cpu_seconds_total{job="$job", namespace="$namespace", pod="$pod"}[5m]) * 100',
    "Pod: {{pod}} | Container: {{container}}",
  ],
  [
    'process_resident_memory_bytes{job="$job", namespace="$namespace", pod="$pod"}',
    "Pod: {{pod}} | Container: {{container}}",
  ],
  ['controller_runtime_reconcile_total{namespace=~"$namespace", job=~"$job"}', "{{pod}}"],
];
