import type { Registry } from "prom-client";
import type { RequestObserver } from "../../client/transport/request-observer.ts";
import type { WatchObserver } from "../cache/watch-observer.ts";
import type { QueueObserver } from "../queue/work-queue.ts";

/** The metrics of the runtime, under controller-runtime's names. */
export interface Metrics {
  /** Returns prom-client's registry, with the metrics of the runtime and of the program. */
  registry(): Promise<Registry>;
  /** @internal */
  controller(name: string, maxConcurrentReconciles: number): ControllerMetrics;
  /** @internal */
  queue(controller: string, workStarts: () => Iterable<number>, now: () => number): QueueObserver;
  /** @internal Removes the series of a controller that was stopped, and of its queue. */
  forgetController(name: string): void;
  /** @internal Counts the API server's responses; `detailed` also measures times and sizes. */
  requests(detailed: boolean): RequestObserver;
  /** @internal Observes the watches of a kind such as `Deployment.apps`. */
  watches(kind: string): WatchObserver;
  /** @internal The same metrics of one cluster of a fleet, with its name as a label. */
  ofCluster(cluster: string): ClusterMetrics;
  /** @internal */
  leading(name: string, leads: boolean): void;
  /** @internal */
  webhook(path: string): WebhookMetrics;
  /** @internal */
  webhookPanic(conversion: boolean): void;
  /** @internal */
  certificateRead(failed: boolean): void;
  /** @internal Called after the event loop was blocked for this long. */
  stalled(seconds: number): void;
}

/** The metrics of one cluster of a fleet. Not picked from Metrics, whose internal members the declarations lack. */
export interface ClusterMetrics {
  controller(name: string, maxConcurrentReconciles: number): ControllerMetrics;
  queue(controller: string, workStarts: () => Iterable<number>, now: () => number): QueueObserver;
  forgetController(name: string): void;
  requests(detailed: boolean): RequestObserver;
  watches(kind: string): WatchObserver;
  reachable(is: boolean): void;
  /** Removes the series. */
  release(): void;
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
