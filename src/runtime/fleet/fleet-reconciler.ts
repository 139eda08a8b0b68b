import type { Reconciler } from "../controller/reconciler.ts";
import { linkAbort } from "../linked-abort.ts";
import type { ControllerOfRequests } from "../manager/manager.ts";
import type { FleetRequest } from "./fleet-request.ts";
import type { RunningFleet } from "./fleet.ts";
import { whileReachable } from "./while-reachable.ts";

/** Creates a reconciler of a fleet's requests, which drops requests of clusters that have left. */
export function fleetReconciler(
  fleet: RunningFleet,
  reconciler: Reconciler<FleetRequest>,
  controller: ControllerOfRequests<FleetRequest>,
): Reconciler<FleetRequest> {
  return {
    async reconcile(request, ctx) {
      if (request.cluster === "") return reconciler.reconcile(request, ctx);
      const member = fleet.find(request.cluster);
      if (!member) return;
      const { signal, release } = linkAbort(ctx.signal, member.signal);
      try {
        return await whileReachable(member.connection, reconciler, controller).reconcile(request, { ...ctx, signal });
      } catch (error) {
        if (!member.signal.aborted) throw error;
      } finally {
        release();
      }
    },
  };
}
