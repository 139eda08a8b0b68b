import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import type { Reader } from "../../client/client.ts";
import type { ReconcileContext, Reconciler, Result } from "./reconciler.ts";

/** Brings the world nearer to what an object says; it is given the object itself. */
export interface ObjectReconciler<T extends KubeObject> {
  /** The object is the reconciler's own copy, as it is by now. Not called for an object that is gone. */
  reconcile(object: Named<T>, ctx: ReconcileContext): Promise<Result | void>;
}

/**
 * A reconciler that reads the object of each request first. A request for an object that is gone succeeds.
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
