import { percentiles, rate, type Row } from "./dashboard.ts";

const gauge = (metric: string): string => `${metric}{$target}`;

/** The work of an operator's controllers: controller-runtime's metrics, and those of the cache. */
export const runtimeRows: readonly Row[] = [
  {
    title: "Reconciles",
    panels: [
      {
        title: "Workers in use",
        type: "gauge",
        unit: "short",
        width: 4,
        queries: [{ expr: gauge("controller_runtime_active_workers"), legend: "{{controller}} {{instance}}" }],
      },
      {
        title: "Reconciles",
        description: "By controller and result: success, error, requeue, requeue_after.",
        unit: "ops",
        width: 10,
        queries: [rate("controller_runtime_reconcile_total", "controller", "result")],
      },
      {
        title: "Failed reconciles",
        unit: "ops",
        width: 10,
        queries: [rate("controller_runtime_reconcile_errors_total", "controller")],
      },
      {
        title: "Time of a reconcile",
        unit: "s",
        width: 12,
        queries: percentiles("controller_runtime_reconcile_time_seconds", "controller"),
      },
      {
        title: "Panics and timeouts",
        description: "Errors that the reconciler threw by mistake, and reconciles that ran out of time.",
        unit: "ops",
        width: 12,
        queries: [
          { ...rate("controller_runtime_reconcile_panics_total", "controller"), legend: "panics {{controller}}" },
          { ...rate("controller_runtime_reconcile_timeouts_total", "controller"), legend: "timeouts {{controller}}" },
        ],
      },
    ],
  },
  {
    title: "Work queues",
    panels: [
      {
        title: "Depth",
        type: "gauge",
        unit: "short",
        width: 4,
        queries: [{ expr: `sum(${gauge("workqueue_depth")}) by (instance, name)`, legend: "{{name}} {{instance}}" }],
      },
      {
        title: "Time in the queue",
        unit: "s",
        width: 10,
        queries: percentiles("workqueue_queue_duration_seconds", "name"),
      },
      { title: "Additions", unit: "ops", width: 10, queries: [rate("workqueue_adds_total", "name")] },
      {
        title: "Unfinished work",
        description: "The age of the work in progress. It grows if a reconcile is stuck.",
        type: "gauge",
        unit: "s",
        width: 4,
        queries: [{ expr: gauge("workqueue_unfinished_work_seconds"), legend: "{{name}} {{instance}}" }],
      },
      { title: "Time of work", unit: "s", width: 10, queries: percentiles("workqueue_work_duration_seconds", "name") },
      { title: "Retries", unit: "ops", width: 10, queries: [rate("workqueue_retries_total", "name")] },
    ],
  },
  {
    title: "API server and cache",
    panels: [
      { title: "Requests", unit: "ops", width: 12, queries: [rate("rest_client_requests_total", "method", "code")] },
      {
        title: "Failed lists and watches",
        unit: "ops",
        width: 12,
        queries: [rate("tsop_reflector_failures_total", "kind", "reason")],
      },
      {
        title: "Objects in the cache",
        unit: "short",
        width: 12,
        queries: [{ expr: gauge("tsop_reflector_objects"), legend: "{{kind}} {{instance}}" }],
      },
      {
        title: "Age of the last event",
        description: "More than a few minutes indicate a dead watch.",
        unit: "s",
        width: 12,
        queries: [{ expr: gauge("tsop_reflector_last_event_age_seconds"), legend: "{{kind}} {{instance}}" }],
      },
    ],
  },
];

/** The resources that an operator's process uses. */
export const resourceRows: readonly Row[] = [
  {
    title: "Process",
    panels: [
      {
        title: "CPU",
        unit: "percent",
        width: 12,
        queries: [{ expr: `rate(${gauge("process_cpu_seconds_total")}[5m]) * 100`, legend: "{{pod}}" }],
      },
      {
        title: "Memory",
        unit: "bytes",
        width: 12,
        queries: [{ expr: gauge("process_resident_memory_bytes"), legend: "{{pod}}" }],
      },
    ],
  },
  {
    title: "Node.js",
    panels: [
      {
        title: "Delay of the event loop",
        description:
          "How late timers fire. Work without an await delays everything else, the lease and the probes, too.",
        unit: "s",
        width: 12,
        queries: [50, 90, 99].map((percentile) => ({
          expr: gauge(`nodejs_eventloop_lag_p${percentile}_seconds`),
          legend: `P${percentile} {{pod}}`,
        })),
      },
      {
        title: "Stalls of the event loop",
        description: "Times that it was blocked for more than a second.",
        unit: "short",
        width: 12,
        queries: [{ expr: `increase(${gauge("tsop_event_loop_stalls_total")}[5m])`, legend: "{{pod}}" }],
      },
      {
        title: "Heap",
        unit: "bytes",
        width: 12,
        queries: [
          { expr: gauge("nodejs_heap_size_used_bytes"), legend: "used {{pod}}" },
          { expr: gauge("nodejs_heap_size_total_bytes"), legend: "total {{pod}}" },
          { expr: gauge("nodejs_external_memory_bytes"), legend: "external {{pod}}" },
        ],
      },
      {
        title: "Time of garbage collection",
        description: "The share of the time in which the program stands still.",
        unit: "percentunit",
        width: 12,
        queries: [
          {
            expr: "sum(rate(nodejs_gc_duration_seconds_sum{$target}[5m])) by (pod, kind)",
            legend: "{{kind}} {{pod}}",
          },
        ],
      },
    ],
  },
];
