import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import type { Reader } from "../../client/client.ts";
import type { ReconcileContext, Reconciler, Result } from "./reconciler.ts";

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
