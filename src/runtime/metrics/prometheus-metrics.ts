import type * as prometheus from "prom-client";
import type { QueueObserver } from "../queue/work-queue.ts";
import type { ControllerMetrics, Metrics, Prometheus, ReconcileResult, WebhookMetrics } from "./metrics.ts";
import { latencyBuckets, queueMetrics } from "./queue-metrics.ts";
import { restClientMetrics } from "./rest-client-metrics.ts";

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75,
  2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const results: readonly ReconcileResult[] = ["success", "error", "requeue", "requeue_after"];
const registered = Symbol.for("tsop.metrics");

/** Registers the runtime's metrics in prom-client's global registry; a second manager of a process shares them. */
export function createMetrics(client: Prometheus): Metrics {
  const holder = client.register as typeof client.register & { [registered]?: Metrics };
  holder[registered] ??= build(client);
  return holder[registered];
}

function build(client: Prometheus): Metrics {
  const counter = (name: string, help: string, labelNames: string[] = []): prometheus.Counter =>
    new client.Counter({ name, help, labelNames });
  const gauge = (name: string, help: string, labelNames: string[]): prometheus.Gauge =>
    new client.Gauge({ name, help, labelNames });

  const controller = controllerMetrics(client, counter, gauge);
  const leader = gauge(
    "leader_election_master_status",
    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ["name"],
  );
  const latency = new client.Histogram({
    name: "controller_runtime_webhook_latency_seconds",
    help: "Histogram of the latency of processing admission requests",
    labelNames: ["webhook"],
    buckets: latencyBuckets,
  });
  const served = counter("controller_runtime_webhook_requests_total", "Total number of admission requests by HTTP status code.", ["webhook", "code"]); // prettier-ignore
  const inFlight = gauge("controller_runtime_webhook_requests_in_flight", "Current number of admission requests being served.", ["webhook"]); // prettier-ignore
  const panics = counter("controller_runtime_webhook_panics_total", "Total number of webhook panics");
  const conversionPanics = counter(
    "controller_runtime_conversion_webhook_panics_total",
    "Total number of conversion webhook panics",
  );
  const reads = counter("certwatcher_read_certificate_total", "Total number of certificate reads");
  const readErrors = counter("certwatcher_read_certificate_errors_total", "Total number of certificate read errors");
  const stalls = counter("tsop_event_loop_stalls_total", "Total number of times the event loop was blocked for more than a second"); // prettier-ignore
  const stalledSeconds = counter("tsop_event_loop_stalled_seconds_total", "Total time of these stalls");
  const queue = queueMetrics(client);

  return {
    registry: client.register,
    controller,
    queue: (name, workStarts, now): QueueObserver => queue(name, workStarts, now),
    requests: restClientMetrics(client),
    leading: (name, leads) => leader.set({ name }, leads ? 1 : 0),
    webhook(path): WebhookMetrics {
      for (const code of ["200", "500"]) served.inc({ webhook: path, code }, 0);
      inFlight.set({ webhook: path }, 0);
      return {
        inFlight: (change) => inFlight.inc({ webhook: path }, change),
        served(code, seconds) {
          served.inc({ webhook: path, code: String(code) });
          latency.observe({ webhook: path }, seconds);
        },
      };
    },
    webhookPanic: (conversion) => (conversion ? conversionPanics : panics).inc(),
    stalled(seconds) {
      stalls.inc();
      stalledSeconds.inc(seconds);
    },
    certificateRead(failed) {
      reads.inc();
      if (failed) readErrors.inc();
    },
  };
}

type MakeCounter = (name: string, help: string, labels: string[]) => prometheus.Counter;
type MakeGauge = (name: string, help: string, labels: string[]) => prometheus.Gauge;

function controllerMetrics(client: Prometheus, counter: MakeCounter, gauge: MakeGauge): Metrics["controller"] {
  const labels = ["controller"];
  const total = counter("controller_runtime_reconcile_total", "Total number of reconciliations per controller", [
    "controller",
    "result",
  ]);
  const errors = counter("controller_runtime_reconcile_errors_total", "Total number of reconciliation errors per controller", labels); // prettier-ignore
  const terminal = counter("controller_runtime_terminal_reconcile_errors_total", "Total number of terminal reconciliation errors per controller", labels); // prettier-ignore
  const panics = counter("controller_runtime_reconcile_panics_total", "Total number of reconciliation panics per controller", labels); // prettier-ignore
  const timeouts = counter("controller_runtime_reconcile_timeouts_total", "Total number of reconciliation timeouts per controller", labels); // prettier-ignore
  const time = new client.Histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "Length of time per reconciliation per controller",
    labelNames: labels,
    buckets: reconcileBuckets,
  });
  const limit = gauge("controller_runtime_max_concurrent_reconciles", "Maximum number of concurrent reconciles per controller", labels); // prettier-ignore
  const active = gauge("controller_runtime_active_workers", "Number of currently used workers per controller", labels);

  return (name, maxConcurrentReconciles): ControllerMetrics => {
    const labels = { controller: name };
    for (const result of results) total.inc({ controller: name, result }, 0);
    for (const each of [errors, terminal, panics, timeouts]) each.inc(labels, 0);
    limit.set(labels, maxConcurrentReconciles);
    active.set(labels, 0);
    return {
      working: (change) => active.inc(labels, change),
      reconciled(result, seconds) {
        total.inc({ controller: name, result });
        time.observe(labels, seconds);
      },
      failed(isTerminal) {
        errors.inc(labels);
        if (isTerminal) terminal.inc(labels);
      },
      panicked: () => panics.inc(labels),
      timedOut: () => timeouts.inc(labels),
    };
  };
}
