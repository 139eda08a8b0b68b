import { percentiles, rate, type Panel, type Query, type Row } from "./dashboard.ts";

const gauge = (metric: string): string => `${metric}{$target}`;
const query = (expr: string, legend: string): Query => ({ expr, legend });

function panel(
  title: string,
  [unit, width]: readonly [string, number],
  queries: Query | readonly Query[],
  more: Pick<Panel, "description" | "type"> = {},
): Panel {
  return { title, unit, width, queries: [queries].flat(), ...more };
}

/** The work of an operator's controllers: controller-runtime's metrics, and those of the cache. */
export const runtimeRows: readonly Row[] = [
  {
    title: "Reconciles",
    panels: [
      panel(
        "Workers in use",
        ["short", 4],
        query(gauge("controller_runtime_active_workers"), "{{controller}} {{instance}}"),
        { type: "gauge" },
      ),
      panel("Reconciles", ["ops", 10], rate("controller_runtime_reconcile_total", "controller", "result"), {
        description: "By controller and result: success, error, requeue, requeue_after.",
      }),
      panel("Failed reconciles", ["ops", 10], rate("controller_runtime_reconcile_errors_total", "controller")),
      panel("Time of a reconcile", ["s", 12], percentiles("controller_runtime_reconcile_time_seconds", "controller")),
      panel(
        "Panics and timeouts",
        ["ops", 12],
        [
          { ...rate("controller_runtime_reconcile_panics_total", "controller"), legend: "panics {{controller}}" },
          { ...rate("controller_runtime_reconcile_timeouts_total", "controller"), legend: "timeouts {{controller}}" },
        ],
        { description: "Errors that the reconciler threw by mistake, and reconciles that ran out of time." },
      ),
    ],
  },
  {
    title: "Work queues",
    panels: [
      panel(
        "Depth",
        ["short", 4],
        query(`sum(${gauge("workqueue_depth")}) by (instance, name)`, "{{name}} {{instance}}"),
        { type: "gauge" },
      ),
      panel("Time in the queue", ["s", 10], percentiles("workqueue_queue_duration_seconds", "name")),
      panel("Additions", ["ops", 10], rate("workqueue_adds_total", "name")),
      panel("Unfinished work", ["s", 4], query(gauge("workqueue_unfinished_work_seconds"), "{{name}} {{instance}}"), {
        description: "The age of the work in progress. It grows if a reconcile is stuck.",
        type: "gauge",
      }),
      panel("Time of work", ["s", 10], percentiles("workqueue_work_duration_seconds", "name")),
      panel("Retries", ["ops", 10], rate("workqueue_retries_total", "name")),
    ],
  },
  {
    title: "API server and cache",
    panels: [
      panel("Requests", ["ops", 12], rate("rest_client_requests_total", "method", "code")),
      panel("Failed lists and watches", ["ops", 12], rate("tsop_reflector_failures_total", "kind", "reason")),
      panel("Objects in the cache", ["short", 12], query(gauge("tsop_reflector_objects"), "{{kind}} {{instance}}")),
      panel(
        "Age of the last event",
        ["s", 12],
        query(gauge("tsop_reflector_last_event_age_seconds"), "{{kind}} {{instance}}"),
        { description: "More than a few minutes indicate a dead watch." },
      ),
    ],
  },
];

/** The resources that an operator's process uses. */
export const resourceRows: readonly Row[] = [
  {
    title: "Process",
    panels: [
      panel("CPU", ["percent", 12], query(`rate(${gauge("process_cpu_seconds_total")}[5m]) * 100`, "{{pod}}")),
      panel("Memory", ["bytes", 12], query(gauge("process_resident_memory_bytes"), "{{pod}}")),
    ],
  },
  {
    title: "Node.js",
    panels: [
      panel(
        "Delay of the event loop",
        ["s", 12],
        [50, 90, 99].map((percentile) =>
          query(gauge(`nodejs_eventloop_lag_p${percentile}_seconds`), `P${percentile} {{pod}}`),
        ),
        {
          description:
            "How late timers fire. Work without an await delays everything else, the lease and the probes, too.",
        },
      ),
      panel(
        "Stalls of the event loop",
        ["short", 12],
        query(`increase(${gauge("tsop_event_loop_stalls_total")}[5m])`, "{{pod}}"),
        { description: "Times that it was blocked for more than a second." },
      ),
      panel(
        "Heap",
        ["bytes", 12],
        [
          query(gauge("nodejs_heap_size_used_bytes"), "used {{pod}}"),
          query(gauge("nodejs_heap_size_total_bytes"), "total {{pod}}"),
          query(gauge("nodejs_external_memory_bytes"), "external {{pod}}"),
        ],
      ),
      panel(
        "Time of garbage collection",
        ["percentunit", 12],
        query("sum(rate(nodejs_gc_duration_seconds_sum{$target}[5m])) by (pod, kind)", "{{kind}} {{pod}}"),
        { description: "The share of the time in which the program stands still." },
      ),
    ],
  },
];
