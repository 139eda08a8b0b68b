import { isError } from "../../errors/is-error.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "./request.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import type { Reader } from "../../client/client.ts";

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

/** Moves the state of the world towards the specification of the object that it receives. */
export interface ObjectReconciler<T extends KubeObject> {
  /** The object is the reconciler's own copy of the current state. Not called for a deleted object. */
  reconcile(object: Named<T>, ctx: ReconcileContext): Promise<Result | void>;
}

/**
 * Creates a reconciler that first reads the object of each request. A request for a deleted object succeeds.
 *
 * @example
 * controllerManagedBy(mgr)
 *   .for(Memcached)
 *   .complete(asReconciler(mgr.client, Memcached, { reconcile: async (memcached, ctx) => ctx.log.info("hello") }));
 */
export function asReconciler<T extends KubeObject>(
  reader: Reader,
  kind: Kind<T>,
  reconciler: ObjectReconciler<T>,
): Reconciler {
  return {
    async reconcile(request, ctx) {
      const object = await reader.getOrUndefined(kind, request, { signal: ctx.signal });
      return object && reconciler.reconcile(object, ctx);
    },
  };
}

/**
 * Requests a reconcile at a wall-clock time; at once if it has passed.
 *
 * @example
 * const midnight = new Date();
 * midnight.setHours(24, 0, 0, 0);
 * const result = requeueAt(midnight);
 */
export function requeueAt(time: Date | number, now: number = Date.now()): Result {
  // 0 would mean never.
  return { requeueAfter: Math.max(1, Number(time) - now) };
}
