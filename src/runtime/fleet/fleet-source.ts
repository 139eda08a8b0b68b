import { enqueueFromMap, type Enqueue } from "../controller/handlers.ts";
import { channelSource, EventChannel, type Source, type SourceContext } from "../controller/sources.ts";
import type { Request } from "../controller/request.ts";
import type { Fleet, RunningFleet } from "./fleet.ts";

/**
 * Creates a source for a controller of the hub: calls a function with the name of each cluster that answers, goes away
 * or leaves, and enqueues the requests that it returns.
 *
 * @example
 * const memcachedsOf = async (cluster: string) => {
 *   const { items } = await mgr.client.list(Memcached, { labels: { cluster } });
 *   return items.map(objectKey);
 * };
 * controllerManagedBy(mgr).for(Memcached).watchesSource(fleetSource(fleet, memcachedsOf));
 */
export function fleetSource<R = Request>(
  fleet: Fleet,
  map: (cluster: string) => readonly R[] | Promise<readonly R[]>,
): Source<R> {
  return {
    description: "fleet source",
    async start(enqueue: Enqueue<R>, ctx: SourceContext) {
      const changed = new EventChannel();
      const handler = enqueueFromMap(({ metadata }) => map(metadata.name));
      await channelSource(changed, handler).start(enqueue, ctx);
      const disengage = (fleet as RunningFleet).engage((member) => {
        const tell = (): void => changed.send({ object: { metadata: { name: member.name } } });
        member.onReachable(tell);
        member.signal.addEventListener("abort", tell, { once: true });
        if (member.isReachable) tell();
      });
      ctx.signal.addEventListener("abort", disengage, { once: true });
    },
  };
}
