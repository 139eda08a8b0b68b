import type { Registry } from "prom-client";
import type { RequestObserver } from "../../client/transport/request-observer.ts";
import type { WatchObserver } from "../cache/watch-observer.ts";
import type { QueueObserver } from "../queue/work-queue.ts";

/** What the runtime counts. The names on the wire are controller-runtime's. */
export interface Metrics {
  /** prom-client's own registry, with the runtime's metrics beside those that the program registers there. */
  registry(): Promise<Registry>;
  controller(name: string, maxConcurrentReconciles: number): ControllerMetrics;
  queue(controller: string, workStarts: () => Iterable<number>, now: () => number): QueueObserver;
  /** Counts the answers of the API server; `detailed` measures times and sizes too. */
  requests(detailed: boolean): RequestObserver;
  /** Counts what the watches of a kind do, as `Deployment.apps`. */
  watches(kind: string): WatchObserver;
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
