import { messageOf } from "../../errors/message-of.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "./request.ts";

/** Brings the world nearer to what an object says. It is called again until it succeeds. */
export interface Reconciler<R = Request> {
  /**
   * Throwing means trying again later, with growing waits; throw a TerminalError when trying again can't help.
   * Calls for the same request never overlap.
   */
  reconcile(request: R, ctx: ReconcileContext): Promise<Result | void>;
}

/**
 * When to look again; nothing, when only a change is a reason to.
 *
 * @example
 * const result: Result = { requeueAfter: 60_000 };
 */
export interface Result {
  /** Milliseconds after which to look again, even if nothing happens. Negative counts as zero, which is never. */
  readonly requeueAfter?: number;
  /** @deprecated Throw, or use `requeueAfter`: this grows its waits like an error does. */
  readonly requeue?: boolean;
  /** The priority of the next round; the same as of this one if absent. */
  readonly priority?: number;
}

/** What a reconcile is given beside the request. */
export interface ReconcileContext {
  /** Aborts when the manager stops, leadership is lost, or the reconciliation timeout has passed. */
  readonly signal: AbortSignal;
  /** Carries the controller, the object and the reconcileID in every line. */
  readonly log: Logger;
  readonly reconcileID: string;
  /** 1 for the first try, and one more for each failure before. */
  readonly attempt: number;
}

const brand = Symbol.for("tsop.TerminalError");

/**
 * An error that trying again can't mend: it is logged and counted, and the request waits for the next change.
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
 * True for a TerminalError, or an error caused by one, whichever copy of this package made it.
 *
 * @example
 * await reconciler.reconcile(request, ctx).catch((error: unknown) => {
 *   if (!isTerminalError(error)) throw error;
 *   ctx.log.error(error, "Given up");
 * });
 */
export function isTerminalError(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (brand in each) return true;
  return false;
}
