import type { KubeObject } from "../../apimachinery/meta.ts";
import type { ReconcileResult } from "../metrics/metrics.ts";

/**
 * Observes the work of the controllers, for a program that shows it. Without an observer, nothing is computed for it.
 */
export interface WorkObserver {
  /** An event has put a request into the queue of a controller. */
  enqueued(controller: string, request: unknown, event: ObservedEvent): void;
  /** A reconcile starts. */
  begin(start: ObservedStart): ObservedRound;
}

export interface ObservedEvent {
  readonly type: "create" | "update" | "delete";
  readonly kind: string;
  readonly object: KubeObject;
}

export interface ObservedStart {
  readonly controller: string;
  readonly request: unknown;
  readonly reconcileID: string;
  readonly attempt: number;
  /** The number of requests that are due. */
  readonly depth: number;
}

/** A reconcile that is under way. */
export interface ObservedRound {
  /** Runs the reconciler and marks its requests. */
  run<T>(work: () => Promise<T>): Promise<T>;
  end(outcome: ReconcileResult, requeueAfter: number | undefined): void;
  fail(error: unknown): void;
}
