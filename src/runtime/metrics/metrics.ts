import type * as prometheus from "prom-client";
import type { RequestObserver } from "../../client/request-observer.ts";
import type { QueueObserver } from "../queue/work-queue.ts";

/** The part of prom-client that the runtime measures with. */
export type Prometheus = Pick<typeof prometheus, "register" | "Counter" | "Gauge" | "Histogram">;

/** What the runtime counts. The names on the wire are controller-runtime's. */
export interface Metrics {
  /** prom-client's own registry: what a program registers there is served beside the runtime's metrics. */
  readonly registry: prometheus.Registry;
  controller(name: string, maxConcurrentReconciles: number): ControllerMetrics;
  queue(controller: string, workStarts: () => Iterable<number>, now: () => number): QueueObserver;
  /** Counts the answers of the API server; `detailed` measures times and sizes too. */
  requests(detailed: boolean): RequestObserver;
  leading(name: string, leads: boolean): void;
  webhook(path: string): WebhookMetrics;
  webhookPanic(conversion: boolean): void;
  certificateRead(failed: boolean): void;
  /** The event loop had no turn for this long. */
  stalled(seconds: number): void;
}

export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

export interface ControllerMetrics {
  working(change: 1 | -1): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  failed(terminal: boolean): void;
  panicked(): void;
  timedOut(): void;
}

export interface WebhookMetrics {
  inFlight(change: 1 | -1): void;
  served(code: number, seconds: number): void;
}
