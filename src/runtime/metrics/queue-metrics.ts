import type { QueueObserver } from "../queue/work-queue.ts";
import type { NumberFamily, NumberSeries } from "./metric-family.ts";
import type { Families } from "./runtime-families.ts";

/** Bounds from 10 ns to 1000 s, which client-go uses for queues and webhooks. */
export const latencyBuckets: number[] = tenfold(1e-8, 12);

/** The limit for priorities: more would create more time series than a dashboard can show. */
const maxPriorities = 25;

interface Watched {
  readonly workStarts: () => Iterable<number>;
  readonly now: () => number;
}

/** The `workqueue_*` metrics of controllers. */
export interface QueueMetrics {
  readonly queue: (name: string, workStarts: Watched["workStarts"], now: () => number) => QueueObserver;
  /** Removes the series of a controller. */
  readonly forget: (name: string) => void;
}

/** Creates the `workqueue_*` metrics. */
export function queueMetrics(families: Families): QueueMetrics {
  const queues = new Map<string, Watched>();
  const depth = families.gauge("workqueue_depth", "Current depth of workqueue by workqueue and priority");
  const adds = families.counter("workqueue_adds_total", "Total number of adds handled by workqueue");
  const waited = families.histogram("workqueue_queue_duration_seconds", "How long in seconds an item stays in workqueue before being requested", latencyBuckets); // prettier-ignore
  const worked = families.histogram("workqueue_work_duration_seconds", "How long in seconds processing an item from workqueue takes.", latencyBuckets); // prettier-ignore
  const retries = families.counter("workqueue_retries_total", "Total number of items added to the workqueue with a non-zero delay (rate-limited requeues, explicit RequeueAfter or AddAfter calls)"); // prettier-ignore
  const computed = workInProgress(families, queues);

  const queue: QueueMetrics["queue"] = (name, workStarts, now) => {
    const labels = { name, controller: name };
    queues.set(name, { workStarts, now });
    const [added, retried] = [adds.with(labels), retries.with(labels)];
    const byPriority = new Map<number | undefined, NumberSeries>();
    const depthOf = (priority: number | undefined): NumberSeries => {
      const known = byPriority.get(priority);
      if (known) return known;
      if (priority === undefined) return depth.with({ ...labels, priority: "" });
      if (byPriority.size >= maxPriorities) return depth.with({ ...labels, priority: "exceeded_cardinality_limit" });
      const made = depth.with({ ...labels, priority: String(priority) });
      byPriority.set(priority, made);
      return made;
    };
    return {
      added: () => added.inc(),
      depth: (priority, change) => depthOf(priority).inc(change),
      taken: waited.observer(labels),
      finished: worked.observer(labels),
      retried: () => retried.inc(),
    };
  };
  const forget = (controller: string): void => {
    queues.delete(controller);
    for (const family of [depth, adds, waited, worked, retries, ...computed]) family.remove({ controller });
  };
  return { queue, forget };
}

/** Computed at each scrape, without timers. */
function workInProgress(families: Families, queues: ReadonlyMap<string, Watched>): NumberFamily[] {
  const gauge = (name: string, help: string, combine: (ages: number[]) => number): NumberFamily => {
    const family = families.gauge(name, help, () => {
      for (const [queue, { workStarts, now }] of queues) {
        const ages = [...workStarts()].map((start) => (now() - start) / 1000);
        family.with({ name: queue, controller: queue }).set(combine(ages));
      }
    });
    return family;
  };
  const unfinished = gauge(
    "workqueue_unfinished_work_seconds",
    "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
    (ages) => ages.reduce((sum, age) => sum + age, 0),
  );
  const longest = gauge(
    "workqueue_longest_running_processor_seconds",
    "How many seconds has the longest running processor for workqueue been running.",
    (ages) => Math.max(0, ...ages),
  );
  return [unfinished, longest];
}

/** Multiplies step by step, so that the numbers equal Go's buckets, 9.999999999999999e-06 included. */
function tenfold(first: number, count: number): number[] {
  const values = [first];
  while (values.length < count) values.push(values.at(-1)! * 10);
  return values;
}
