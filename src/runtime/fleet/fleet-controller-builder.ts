import { groupKindOf, metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, PartialObjectMetadata } from "../../apimachinery/meta.ts";
import type { OwnerMatch, OwnsOptions } from "../builders/builder.ts";
import {
  incomplete,
  TypedControllerBuilder,
  type AnyWatchOptions,
  type BuilderOptions,
  type MetadataOnlyOptions,
  type WatchKindOptions,
} from "../builders/typed-controller-builder.ts";
import type { Cache } from "../cache/cache.ts";
import type { Controller } from "../controller/controller.ts";
import { enqueueForObject, enqueueForOwner, type Enqueue, type EventHandler } from "../controller/handlers.ts";
import { readingAs } from "../controller/metadata-readers.ts";
import type { Reconciler } from "../controller/reconciler.ts";
import { kindSource, type Source, type SourceContext } from "../controller/sources.ts";
import { linkAbort } from "../linked-abort.ts";
import type { Fields } from "../log/logger.ts";
import type { ControllerMetrics } from "../metrics/metrics.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { FleetMember } from "./fleet-member.ts";
import type { Fleet, RunningFleet } from "./fleet.ts";
import type { ControllerOfRequests } from "../manager/manager.ts";
import { whileReachable } from "./while-reachable.ts";
import { requestKey, type Request } from "../controller/request.ts";

/** Options of `watchesHub`. */
export interface HubWatchOptions<T extends KubeObject> extends WatchKindOptions<T> {
  /** True for one request, of the hub itself; by default each cluster has a request of its own. */
  readonly once?: boolean;
}

/** Builds a controller whose requests name a cluster. */
export class FleetControllerBuilder extends TypedControllerBuilder<FleetRequest> {
  private readonly fleet: RunningFleet;
  private requests: WorkQueue<FleetRequest> | undefined;
  private disengage: () => void = () => undefined;

  /** @internal */
  constructor(fleet: RunningFleet) {
    super(fleet.hub, fleetRequestKey);
    this.fleet = fleet;
  }

  /** Sets the kind to reconcile in each cluster, once. */
  for<T extends KubeObject>(kind: Kind<T>, options?: NoInfer<WatchKindOptions<T>>): this;
  for(kind: Kind, options: MetadataOnlyOptions): this;
  for(kind: Kind, options: AnyWatchOptions = {}): this {
    if (this.primary) throw incomplete("for() was called twice");
    this.primary = { kind, source: this.inEachCluster(kind, enqueueForObject(), options) };
    return this;
  }

  /** Watches a kind of owned objects in each cluster. */
  owns<T extends KubeObject>(kind: Kind<T>, options?: NoInfer<OwnsOptions<T>>): this;
  owns(kind: Kind, options: MetadataOnlyOptions & OwnerMatch): this;
  owns(kind: Kind, options: AnyWatchOptions & OwnerMatch = {}): this {
    this.watched.push(() => {
      if (!this.primary) throw incomplete("owns() needs for(), which says whose objects they are");
      const handler = enqueueForOwner(this.primary.kind, { onlyController: !options.matchEveryOwner });
      return this.inEachCluster(kind, handler, options);
    });
    return this;
  }

  /** Watches another kind in each cluster, with a handler that maps its changes to requests of this cluster. */
  override watches<T extends KubeObject>(
    kind: Kind<T>,
    handler: EventHandler<NoInfer<T>, RequestInFleet>,
    options?: NoInfer<WatchKindOptions<T>>,
  ): this;
  override watches(
    kind: Kind,
    handler: EventHandler<PartialObjectMetadata, RequestInFleet>,
    options: MetadataOnlyOptions,
  ): this;
  override watches(kind: Kind, handler: EventHandler<KubeObject, RequestInFleet>, options: AnyWatchOptions = {}): this {
    this.watched.push(() => this.inEachCluster(kind, handler, options));
    return this;
  }

  /**
   * Watches a kind of the hub. Each change is a request for each cluster, and a cluster that joins gets one for each
   * object.
   */
  watchesHub<T extends KubeObject>(
    kind: Kind<T>,
    handler: EventHandler<NoInfer<T>, RequestInFleet>,
    options?: NoInfer<HubWatchOptions<T>>,
  ): this;
  watchesHub(
    kind: Kind,
    handler: EventHandler<KubeObject, RequestInFleet>,
    options: AnyWatchOptions & { readonly once?: boolean } = {},
  ): this {
    this.watched.push(() => {
      if (options.once) return this.source(kind, inCluster("", handler), options);
      return this.inEachCluster(kind, handler, options, this.manager.cache);
    });
    return this;
  }

  /** Builds the controller and adds it to the hub's manager. */
  override complete(reconciler: Reconciler<FleetRequest>): Promise<Controller<FleetRequest>> {
    const add = (request: FleetRequest): void => this.requests?.add(request);
    return super.complete(
      fleetReconciler(this.fleet, reconciler, { name: this.controllerName(), keyOf: fleetRequestKey, add }),
    );
  }

  protected override queue(name: string, options: BuilderOptions<FleetRequest>): WorkQueue<FleetRequest> {
    const queue = super.queue(name, options);
    this.requests = queue;
    // Requests of a cluster that has left would be kept until they are due.
    this.disengage = this.fleet.engage(({ name: left, signal }) => {
      signal.addEventListener("abort", () => queue.discard?.(({ cluster }) => cluster === left), { once: true });
    });
    return queue;
  }

  /** @internal */
  protected override metricsOf(name: string, limit: number): (request: FleetRequest) => ControllerMetrics | undefined {
    return ({ cluster }) => this.fleet.find(cluster)?.controllerMetrics(name, limit);
  }

  /** @internal */
  protected override forget(name: string): void {
    super.forget(name);
    this.disengage();
    for (const cluster of this.fleet.clusters) this.fleet.find(cluster)?.forgetController(name);
  }

  protected override fieldsOf({ cluster, name, namespace = "" }: FleetRequest): Fields {
    return { cluster, [this.primary?.kind.kind ?? "object"]: { name, namespace }, namespace, name };
  }

  /** Creates a source that starts and ends with each cluster, without waiting for any of them. */
  private inEachCluster(
    kind: Kind,
    handler: EventHandler<KubeObject, RequestInFleet>,
    options: AnyWatchOptions,
    hub?: Cache,
  ): Source<FleetRequest> {
    const watched = options.metadataOnly ? metadataOnly(kind) : kind;
    const running = new Set<Source<FleetRequest>>();
    const start = (member: FleetMember, enqueue: Enqueue<FleetRequest>, ctx: SourceContext): void => {
      const predicates = [...this.filters, ...(options.predicates ?? [])];
      const cache = hub ?? member.manager.cache;
      const source = kindSource({
        cache,
        kind: watched,
        handler: inCluster(member.name, handler),
        predicates,
        optional: true,
      });
      const { log } = member;
      const { signal } = linkAbort(member.signal, ctx.signal);
      running.add(source);
      member.signal.addEventListener("abort", () => running.delete(source), { once: true });
      void source.start(enqueue, { ...ctx, signal }).catch((error: unknown) => {
        log.error(error, "A watch of the cluster could not be started", { kind: groupKindOf(kind) });
      });
    };
    return {
      description: `kind source of ${hub ? "the hub" : "each cluster"}: ${groupKindOf(kind)}`,
      start: (enqueue, ctx) => {
        const disengage = this.fleet.engage((member) => start(member, enqueue, ctx));
        ctx.signal.addEventListener("abort", disengage, { once: true });
        return Promise.resolve();
      },
      async release() {
        for (const source of running) await source.release?.();
      },
    };
  }
}

/**
 * Starts to build a controller for all clusters of a fleet, with one queue. Its requests name their cluster.
 *
 * @example
 * await fleetControllerManagedBy(fleet)
 *   .for(ConfigMap)
 *   .complete({
 *     async reconcile({ cluster, ...key }, ctx) {
 *       const { client } = fleet.cluster(cluster);
 *       const found = await client.getOrUndefined(ConfigMap, key, { signal: ctx.signal });
 *       ctx.log.info("Looking at a ConfigMap", { entries: Object.keys(found?.data ?? {}).length });
 *     },
 *   });
 */
export function fleetControllerManagedBy(fleet: Fleet): FleetControllerBuilder {
  return new FleetControllerBuilder(fleet as RunningFleet);
}

/** Adds the cluster to the requests of a handler. */
function inCluster(
  cluster: string,
  handler: EventHandler<KubeObject, RequestInFleet>,
): EventHandler<KubeObject, FleetRequest> {
  const named =
    (enqueue: Enqueue<FleetRequest>): Enqueue<RequestInFleet> =>
    (request, priority) =>
      enqueue({ cluster, ...request }, priority);
  return readingAs<EventHandler<KubeObject, FleetRequest>>([handler], {
    create: (event, enqueue) => handler.create?.(event, named(enqueue)),
    update: (event, enqueue) => handler.update?.(event, named(enqueue)),
    delete: (event, enqueue) => handler.delete?.(event, named(enqueue)),
    generic: (event, enqueue) => handler.generic?.(event, named(enqueue)),
  });
}

/** Creates a reconciler of a fleet's requests, which drops requests of clusters that have left. */
function fleetReconciler(
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

/** The object to reconcile, and its cluster. */
export interface FleetRequest extends Request {
  /** The name of the cluster; `""` is the hub. */
  readonly cluster: string;
}

/** A request that a handler makes: without a cluster it concerns the cluster of the event. */
export type RequestInFleet = Request & { readonly cluster?: string };

/** Returns the key of a request: requests with the same key are equal. */
function fleetRequestKey(request: FleetRequest): string {
  // No name contains a line end.
  return `${request.cluster}\n${requestKey(request)}`;
}
