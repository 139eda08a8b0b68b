import type * as prometheus from "prom-client";
import type { QueueObserver } from "../queue/work-queue.ts";
import type { Prometheus } from "./metrics.ts";

/** 10 ns to 1000 s: what client-go measures queues and webhooks with. */
export const latencyBuckets: number[] = tenfold(1e-8, 12);

/** More priorities than this would make more time series than any dashboard shows. */
const maxPriorities = 25;

interface Watched {
  readonly workStarts: () => Iterable<number>;
  readonly now: () => number;
}

/** The `workqueue_*` metrics; call the result once for each controller. */
export function queueMetrics(
  client: Prometheus,
): (name: string, workStarts: Watched["workStarts"], now: () => number) => QueueObserver {
  const queues = new Map<string, Watched>();
  const labelNames = ["name", "controller"];
  const histogram = (name: string, help: string): prometheus.Histogram =>
    new client.Histogram({ name, help, labelNames, buckets: [...latencyBuckets] });
  const counter = (name: string, help: string): prometheus.Counter => new client.Counter({ name, help, labelNames });

  const depth = new client.Gauge({
    name: "workqueue_depth",
    help: "Current depth of workqueue by workqueue and priority",
    labelNames: [...labelNames, "priority"],
  });
  const adds = counter("workqueue_adds_total", "Total number of adds handled by workqueue");
  const waited = histogram("workqueue_queue_duration_seconds", "How long in seconds an item stays in workqueue before being requested"); // prettier-ignore
  const worked = histogram("workqueue_work_duration_seconds", "How long in seconds processing an item from workqueue takes."); // prettier-ignore
  const retries = counter("workqueue_retries_total", "Total number of items added to the workqueue with a non-zero delay (rate-limited requeues, explicit RequeueAfter or AddAfter calls)"); // prettier-ignore
  workInProgress(client, queues);

  return (name, workStarts, now) => {
    const labels = { name, controller: name };
    queues.set(name, { workStarts, now });
    adds.inc(labels, 0);
    retries.inc(labels, 0);
    const byPriority = new Map<number, Record<string, string>>();
    const depthLabels = (priority: number | undefined): Record<string, string> => {
      if (priority === undefined) return { ...labels, priority: "" };
      const known = byPriority.get(priority);
      if (known) return known;
      if (byPriority.size >= maxPriorities) return { ...labels, priority: "exceeded_cardinality_limit" };
      const made = { ...labels, priority: String(priority) };
      byPriority.set(priority, made);
      return made;
    };
    return {
      added: () => adds.inc(labels),
      depth: (priority, change) => depth.inc(depthLabels(priority), change),
      taken: (seconds) => waited.observe(labels, seconds),
      finished: (seconds) => worked.observe(labels, seconds),
      retried: () => retries.inc(labels),
    };
  };
}

/** Computed when somebody looks, so that nothing has to tick. */
function workInProgress(client: Prometheus, queues: ReadonlyMap<string, Watched>): void {
  const labelNames = ["name", "controller"];
  const collectWith = (combine: (ages: number[]) => number) =>
    function collect(this: prometheus.Gauge): void {
      for (const [name, { workStarts, now }] of queues) {
        const ages = [...workStarts()].map((start) => (now() - start) / 1000);
        this.set({ name, controller: name }, combine(ages));
      }
    };
  void new client.Gauge({
    name: "workqueue_unfinished_work_seconds",
    help: "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
    labelNames,
    collect: collectWith((ages) => ages.reduce((sum, age) => sum + age, 0)),
  });
  void new client.Gauge({
    name: "workqueue_longest_running_processor_seconds",
    help: "How many seconds has the longest running processor for workqueue been running.",
    labelNames,
    collect: collectWith((ages) => Math.max(0, ...ages)),
  });
}

/** Multiplied one by one: the very numbers that Go's buckets have, 9.999999999999999e-06 among them. */
function tenfold(first: number, count: number): number[] {
  const values = [first];
  while (values.length < count) values.push(values.at(-1)! * 10);
  return values;
}
