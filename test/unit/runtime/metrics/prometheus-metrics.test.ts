import { register } from "prom-client";
import { beforeAll, describe, expect, it } from "vitest";
import type { Metrics } from "../../../../src/runtime/metrics/metrics.ts";
import { addProcessMetrics } from "../../../../src/runtime/metrics/load-prom-client.ts";
import { processMetrics } from "../../../../src/runtime/metrics/prometheus-metrics.ts";

/** The metrics of controller-runtime: name, type, labels. Dashboards and alerts depend on each of them. */
const expected: [name: string, type: string, labels: string[]][] = [
  ["controller_runtime_reconcile_total", "counter", ["controller", "result"]],
  ["controller_runtime_reconcile_errors_total", "counter", ["controller"]],
  ["controller_runtime_terminal_reconcile_errors_total", "counter", ["controller"]],
  ["controller_runtime_reconcile_panics_total", "counter", ["controller"]],
  ["controller_runtime_reconcile_timeouts_total", "counter", ["controller"]],
  ["controller_runtime_reconcile_time_seconds", "histogram", ["controller"]],
  ["controller_runtime_max_concurrent_reconciles", "gauge", ["controller"]],
  ["controller_runtime_active_workers", "gauge", ["controller"]],
  ["workqueue_depth", "gauge", ["controller", "name", "priority"]],
  ["workqueue_adds_total", "counter", ["controller", "name"]],
  ["workqueue_retries_total", "counter", ["controller", "name"]],
  ["workqueue_queue_duration_seconds", "histogram", ["controller", "name"]],
  ["workqueue_work_duration_seconds", "histogram", ["controller", "name"]],
  ["workqueue_unfinished_work_seconds", "gauge", ["controller", "name"]],
  ["workqueue_longest_running_processor_seconds", "gauge", ["controller", "name"]],
  ["rest_client_requests_total", "counter", ["code", "host", "method"]],
  ["leader_election_master_status", "gauge", ["name"]],
  ["controller_runtime_webhook_latency_seconds", "histogram", ["webhook"]],
  ["controller_runtime_webhook_requests_total", "counter", ["code", "webhook"]],
  ["controller_runtime_webhook_requests_in_flight", "gauge", ["webhook"]],
  ["controller_runtime_webhook_panics_total", "counter", []],
  ["controller_runtime_conversion_webhook_panics_total", "counter", []],
  ["certwatcher_read_certificate_total", "counter", []],
  ["certwatcher_read_certificate_errors_total", "counter", []],
];

let metrics: Metrics;

beforeAll(() => {
  metrics = processMetrics();
  const controller = metrics.controller("thing", 2);
  controller.reconciled("success", 0.2);
  const queue = metrics.queue("thing", () => [1000, 3000], () => 4000); // prettier-ignore
  queue.added(0);
  queue.depth(0, 1);
  queue.taken(0.5);
  queue.finished(0.5);
  metrics.requests(false).answered({ code: "200", method: "GET", host: "server:6443" });
  metrics.leading("lease", true);
  metrics.webhook("/mutate").served(200, 0.001);
});

async function lines(): Promise<string[]> {
  return (await (await metrics.registry()).metrics()).split("\n");
}

describe("the metrics", () => {
  it.each(expected)("include %s as a %s with the labels %j", async (name, type, labels) => {
    const all = await lines();
    expect(all).toContain(`# TYPE ${name} ${type}`);
    const sample = all.find((line) => line.startsWith(type === "histogram" ? `${name}_count` : name))!;
    const found = [...sample.matchAll(/(\w+)="/g)].map((match) => match[1]!);
    expect(found.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(labels);
  });

  it("measure reconciles and queues with the buckets of controller-runtime", async () => {
    const all = await lines();
    const bounds = (name: string): number[] =>
      all
        .filter((line) => line.startsWith(`${name}_bucket`))
        .map((line) => Number(/le="([^"]+)"/.exec(line)![1]!.replace("+Inf", "Infinity")));
    expect(bounds("controller_runtime_reconcile_time_seconds")).toHaveLength(41);
    const queue = bounds("workqueue_queue_duration_seconds").slice(0, -1);
    expect(queue.map((bound) => Math.round(Math.log10(bound)))).toEqual([-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3]);
  });

  it("measure requests with the buckets of client-go", async () => {
    const observer = metrics.requests(true);
    const labels = { verb: "GET", host: "a" };
    for (const measure of ["took", "throttled", "sent", "received"] as const) observer[measure]?.(labels, 1);
    observer.resolved?.("a", 1);
    const all = await lines();
    const bounds = (name: string): string =>
      all
        .filter((line) => line.startsWith(`rest_client_${name}_bucket`))
        .map((line) => /le="([^"]+)"/.exec(line)![1]!)
        .join(" ");
    const seconds = "0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 60 +Inf";
    const bytes = "64 256 512 1024 4096 16384 65536 262144 1048576 4194304 16777216 +Inf";
    const timed = ["request_duration_seconds", "rate_limiter_duration_seconds", "dns_resolution_duration_seconds"];
    expect(timed.map(bounds)).toEqual(timed.map(() => seconds));
    expect(["request_size_bytes", "response_size_bytes"].map(bounds)).toEqual([bytes, bytes]);
  });

  it("start every result at zero, so that a rate has a first value", async () => {
    const all = await lines();
    for (const result of ["error", "requeue", "requeue_after"]) {
      expect(all).toContain(`controller_runtime_reconcile_total{controller="thing",result="${result}"} 0`);
    }
  });

  it("report the duration of unfinished work", async () => {
    const all = await lines();
    expect(all).toContain('workqueue_unfinished_work_seconds{name="thing",controller="thing"} 4');
    expect(all).toContain('workqueue_longest_running_processor_seconds{name="thing",controller="thing"} 3');
  });

  it("combine many priorities into one series", async () => {
    const queue = metrics.queue("many", () => [], () => 0); // prettier-ignore
    for (let priority = 0; priority < 40; priority++) queue.depth(priority, 1);
    const depth = (await lines()).filter((line) => line.startsWith('workqueue_depth{name="many"'));
    expect(depth).toHaveLength(26);
    expect(depth.at(-1)).toContain('priority="exceeded_cardinality_limit"} 15');
  });

  it("are registered once in the program's registry of prom-client", async () => {
    const registries = await Promise.all([metrics.registry(), metrics.registry()]);
    expect(registries).toEqual([register, register]);
  });

  it("count observations up to each bound, with sum and count", async () => {
    const controller = metrics.controller("timed", 1);
    for (const seconds of [0.005, 0.007, 0.3, 61]) controller.reconciled("success", seconds);
    const name = "controller_runtime_reconcile_time_seconds";
    const found = (await lines()).filter((line) => line.startsWith(name) && line.includes("timed"));
    const bucket = (bound: string): string => `${name}_bucket{le="${bound}",controller="timed"}`;
    for (const [bound, count] of [["0.005", 1], ["0.01", 2], ["0.25", 2], ["0.3", 3], ["60", 3], ["+Inf", 4]] as const) {
      expect(found).toContain(`${bucket(bound)} ${count}`);
    } // prettier-ignore
    expect(found).toContain(`${name}_sum{controller="timed"} 61.312`);
    expect(found).toContain(`${name}_count{controller="timed"} 4`);
  });

  it("include those of the process once, on request", async () => {
    expect(await lines()).not.toContain("# TYPE process_cpu_seconds_total counter");
    await Promise.all([addProcessMetrics(register), addProcessMetrics(register)]);
    await addProcessMetrics(register);
    const all = await lines();
    for (const name of ["process_cpu_seconds_total", "nodejs_eventloop_lag_seconds", "process_resident_memory_bytes"])
      expect(all.filter((line) => line.startsWith(`# TYPE ${name} `))).toHaveLength(1);
  });

  it("are the same for a second manager of a process", () => {
    expect(processMetrics()).toBe(metrics);
  });

  it("are available as data, and can be reset", async () => {
    const retries = async (): Promise<number> => {
      const all = await register.getMetricsAsJSON();
      const found = all.find(({ name }) => name === "workqueue_retries_total");
      const { values } = found as unknown as { values: { labels: { name: string }; value: number }[] };
      return values.find(({ labels }) => labels.name === "reset")!.value;
    };
    const queue = metrics.queue("reset", () => [], () => 0); // prettier-ignore
    queue.retried();
    expect(await retries()).toBe(1);
    register.resetMetrics();
    expect(await retries()).toBe(0);
    queue.retried();
    expect(await retries()).toBe(1);
  });
});
