import type { ReconcileContext, Reconciler, Result } from "../controller/reconciler.ts";
import type { ControllerOfRequests } from "../manager/manager.ts";
import type { ClusterConnection } from "./cluster-connection.ts";

/**
 * Creates a reconciler that takes a request only while its cluster answers. Otherwise the request waits, without a
 * worker, until the cluster answers again.
 */
export function whileReachable<R>(
  connection: ClusterConnection,
  reconciler: Reconciler<R>,
  controller: ControllerOfRequests<R>,
): Reconciler<R> {
  const { name, keyOf, add } = controller;
  const later = (request: R): void => connection.park(`${name}\n${keyOf(request)}`, () => add(request));
  return {
    async reconcile(request: R, ctx: ReconcileContext): Promise<Result | void> {
      if (!connection.isReachable) return later(request);
      try {
        return await reconciler.reconcile(request, ctx);
      } catch (error) {
        if (connection.isReachable || ctx.signal.aborted) throw error;
        ctx.log.debug("The cluster is away, the request waits for it", { error });
        return later(request);
      }
    },
  };
}
