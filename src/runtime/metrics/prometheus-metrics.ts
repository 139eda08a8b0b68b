import type { ClusterMetrics, Metrics, ReconcileResult, WebhookMetrics } from "./metrics.ts";
import { latencyBuckets, queueMetrics } from "./queue-metrics.ts";
import { reflectorMetrics } from "./reflector-metrics.ts";
import { restClientMetrics } from "./rest-client-metrics.ts";
import { RuntimeFamilies, type Families } from "./runtime-families.ts";

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75,
  2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const results: readonly ReconcileResult[] = ["success", "error", "requeue", "requeue_after"];
let shared: Metrics | undefined;

/** Returns the metrics of this process, which all managers share. */
export function processMetrics(): Metrics {
  return (shared ??= build(new RuntimeFamilies()));
}

function build(families: RuntimeFamilies): Metrics {
  const ofControllers = metricsOfControllers(families);
  const leader = families.gauge(
    "leader_election_master_status",
    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
  );
  const latency = families.histogram("controller_runtime_webhook_latency_seconds", "Histogram of the latency of processing admission requests", latencyBuckets); // prettier-ignore
  const served = families.counter("controller_runtime_webhook_requests_total", "Total number of admission requests by HTTP status code."); // prettier-ignore
  const inFlight = families.gauge("controller_runtime_webhook_requests_in_flight", "Current number of admission requests being served."); // prettier-ignore
  const panics = families.counter("controller_runtime_webhook_panics_total", "Total number of webhook panics").with();
  const conversionPanics = families.counter("controller_runtime_conversion_webhook_panics_total", "Total number of conversion webhook panics").with(); // prettier-ignore
  const reads = families.counter("certwatcher_read_certificate_total", "Total number of certificate reads").with();
  const readErrors = families.counter("certwatcher_read_certificate_errors_total", "Total number of certificate read errors").with(); // prettier-ignore
  const stalls = families.counter("tsop_event_loop_stalls_total", "Total number of times the event loop was blocked for more than a second").with(); // prettier-ignore
  const stalledSeconds = families.counter("tsop_event_loop_stalled_seconds_total", "Total time of these stalls").with();

  return {
    registry: () => families.registry(),
    ...ofControllers,
    requests: restClientMetrics(families),
    watches: reflectorMetrics(families),
    ofCluster: (cluster) => clusterMetrics(families, cluster),
    leading: (name, leads) => leader.with({ name }).set(leads ? 1 : 0),
    webhook(webhook): WebhookMetrics {
      for (const code of ["200", "500"]) served.with({ webhook, code });
      const current = inFlight.with({ webhook });
      return {
        inFlight: (change) => current.inc(change),
        served(code, seconds) {
          served.with({ webhook, code: String(code) }).inc();
          latency.with({ webhook }).observe(seconds);
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

function clusterMetrics(families: RuntimeFamilies, cluster: string): ClusterMetrics {
  const own = families.ofCluster(cluster);
  const reachable = own.gauge("tsop_fleet_cluster_reachable", "Whether the API server of a cluster of the fleet answers, 1 if it does").with(); // prettier-ignore
  return {
    ...metricsOfControllers(own),
    requests: restClientMetrics(own),
    watches: reflectorMetrics(own),
    reachable: (is) => reachable.set(is ? 1 : 0),
    release: () => own.release(),
  };
}

function metricsOfControllers(families: Families): Pick<ClusterMetrics, "controller" | "queue" | "forgetController"> {
  const { controller, forget } = controllerMetrics(families);
  const { queue, forget: forgetQueue } = queueMetrics(families);
  return {
    controller,
    queue,
    forgetController(name) {
      forget(name);
      forgetQueue(name);
    },
  };
}

interface ControllersMetrics {
  readonly controller: ClusterMetrics["controller"];
  readonly forget: (controller: string) => void;
}

function controllerMetrics(families: Families): ControllersMetrics {
  const total = families.counter("controller_runtime_reconcile_total", "Total number of reconciliations per controller"); // prettier-ignore
  const errors = families.counter("controller_runtime_reconcile_errors_total", "Total number of reconciliation errors per controller"); // prettier-ignore
  const terminal = families.counter("controller_runtime_terminal_reconcile_errors_total", "Total number of terminal reconciliation errors per controller"); // prettier-ignore
  const panics = families.counter("controller_runtime_reconcile_panics_total", "Total number of reconciliation panics per controller"); // prettier-ignore
  const timeouts = families.counter("controller_runtime_reconcile_timeouts_total", "Total number of reconciliation timeouts per controller"); // prettier-ignore
  const time = families.histogram("controller_runtime_reconcile_time_seconds", "Length of time per reconciliation per controller", reconcileBuckets); // prettier-ignore
  const limit = families.gauge("controller_runtime_max_concurrent_reconciles", "Maximum number of concurrent reconciles per controller"); // prettier-ignore
  const active = families.gauge("controller_runtime_active_workers", "Number of currently used workers per controller");

  const forget = (name: string): void => {
    const all = [total, errors, terminal, panics, timeouts, time, limit, active];
    for (const family of all) family.remove({ controller: name });
  };
  const controller: ControllersMetrics["controller"] = (name, maxConcurrentReconciles) => {
    const labels = { controller: name };
    const own = <S>(family: { with(labels: { controller: string }): S }): S => family.with(labels);
    const byResult = new Map(results.map((result) => [result, total.with({ ...labels, result })]));
    const failures = { all: own(errors), terminal: own(terminal) };
    const [panicked, timedOut, working] = [own(panics), own(timeouts), own(active)];
    const took = time.observer(labels);
    own(limit).set(maxConcurrentReconciles);
    return {
      working: (change) => working.inc(change),
      reconciled(result, seconds) {
        byResult.get(result)!.inc();
        took(seconds);
      },
      failed(isTerminal) {
        failures.all.inc();
        if (isTerminal) failures.terminal.inc();
      },
      panicked: () => panicked.inc(),
      timedOut: () => timedOut.inc(),
    };
  };
  return { controller, forget };
}
