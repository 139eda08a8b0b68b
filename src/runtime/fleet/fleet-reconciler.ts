import type { Reconciler } from "../controller/reconciler.ts";
import { fleetRequestKey, type FleetRequest } from "./fleet-request.ts";
import type { RunningFleet } from "./fleet.ts";

/**
 * Creates a reconciler that takes only requests of clusters that answer. Others wait, without a worker, until their
 * cluster answers again, and are dropped when it leaves.
 */
export function fleetReconciler(
  fleet: RunningFleet,
  reconciler: Reconciler<FleetRequest>,
  controller: { readonly name: string; readonly add: (request: FleetRequest) => void },
): Reconciler<FleetRequest> {
  const { name, add } = controller;
  return {
    async reconcile(request, ctx) {
      if (request.cluster === "") return reconciler.reconcile(request, ctx);
      const member = fleet.find(request.cluster);
      if (!member) return;
      const later = (): void => member.park(`${name}\n${fleetRequestKey(request)}`, () => add(request));
      if (!member.isReachable) return later();
      try {
        return await reconciler.reconcile(request, { ...ctx, signal: member.signalWith(ctx.signal) });
      } catch (error) {
        if (member.signal.aborted) return;
        if (member.isReachable) throw error;
        ctx.log.debug("The cluster is away, the request waits for it", { error });
        return later();
      }
    },
  };
}
