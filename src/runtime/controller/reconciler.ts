import { isError } from "../../errors/is-error.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "./request.ts";

/** Moves the state of the world towards the specification of an object. It is called again until it succeeds. */
export interface Reconciler<R = Request> {
  /**
   * Throwing causes a retry, with growing waits; throw a TerminalError if a retry cannot help. Calls for the same
   * request never overlap.
   */
  reconcile(request: R, ctx: ReconcileContext): Promise<Result | void>;
}

/**
 * The time of the next reconcile; empty if only a change causes one.
 *
 * @example
 * const result: Result = { requeueAfter: 60_000 };
 */
export interface Result {
  /** Milliseconds until the next reconcile, even without a change. Negative values count as zero, which means never. */
  readonly requeueAfter?: number;
  /** @deprecated Throw, or use `requeueAfter`: this grows its waits like an error does. */
  readonly requeue?: boolean;
  /** The priority of the next reconcile; by default the priority of this one. */
  readonly priority?: number;
}

/** The arguments of a reconcile in addition to the request. */
export interface ReconcileContext {
  /** Aborts when the manager stops, leadership is lost, or the reconciliation timeout has passed. */
  readonly signal: AbortSignal;
  /** Adds the controller, the object and the reconcileID to every line. */
  readonly log: Logger;
  /** Identifies this reconcile in logs. */
  readonly reconcileID: string;
  /** 1 for the first attempt, incremented by each failure. */
  readonly attempt: number;
}

const brand = Symbol.for("tsop.TerminalError");

/**
 * An error that a retry cannot fix: it is logged and counted, and the request waits for the next change.
 *
 * @example
 * if ((memcached.spec.size ?? 0) < 0) throw new TerminalError(new Error("a size can't be negative"));
 */
export class TerminalError extends Error {
  override readonly name: string = "TerminalError";

  constructor(cause: unknown, options?: ErrorOptions) {
    super(`terminal error: ${messageOf(cause)}`, { cause, ...options });
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Reports whether an error is a TerminalError or was caused by one, whichever copy of this package created it.
 *
 * @example
 * await reconciler.reconcile(request, ctx).catch((error: unknown) => {
 *   if (!isTerminalError(error)) throw error;
 *   ctx.log.error(error, "Given up");
 * });
 */
export function isTerminalError(error: unknown): boolean {
  for (let each = error; isError(each); each = each.cause) if (brand in each) return true;
  return false;
}
