import { groupKindOf, metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { enqueueForObject, enqueueForOwner } from "../controller/handlers.ts";
import type { Fields } from "../log/logger.ts";
import type { Manager } from "../manager/manager.ts";
import { requestKey, type Request } from "../controller/request.ts";
import { ShardGuard } from "../sharding/shard-guard.ts";
import {
  incomplete,
  TypedControllerBuilder,
  type AnyWatchOptions,
  type MetadataOnlyOptions,
  type WatchKindOptions,
} from "./typed-controller-builder.ts";

/** Options of `owns()`. */
export interface OwnsOptions<T extends KubeObject> extends WatchKindOptions<T>, OwnerMatch {}

/** The owners whose requests `owns()` creates. */
export interface OwnerMatch {
  /** Creates requests for every owner of the kind, not only for the controller. */
  readonly matchEveryOwner?: boolean;
}

/** Builds a controller. */
export class ControllerBuilder extends TypedControllerBuilder<Request> {
  constructor(manager: Manager) {
    super(manager, requestKey);
  }

  /** Sets the kind to reconcile, once. Requests name its objects. */
  for<T extends KubeObject>(kind: Kind<T>, options?: NoInfer<WatchKindOptions<T>>): this;
  for(kind: Kind, options: MetadataOnlyOptions): this;
  for(kind: Kind, options: AnyWatchOptions = {}): this {
    if (this.primary) throw incomplete("for() was called twice");
    const guard = this.guardOf(options.metadataOnly ? metadataOnly(kind) : kind);
    this.guard = guard;
    this.primary = { kind, source: this.source(kind, guard?.handler ?? enqueueForObject(), options) };
    return this;
  }

  /** Watches a kind of owned objects: a change of one reconciles its owner. */
  owns<T extends KubeObject>(kind: Kind<T>, options?: NoInfer<OwnsOptions<T>>): this;
  owns(kind: Kind, options: MetadataOnlyOptions & OwnerMatch): this;
  owns(kind: Kind, options: AnyWatchOptions & OwnerMatch = {}): this {
    this.watched.push(() => {
      if (!this.primary) throw incomplete("owns() needs for(), which says whose objects they are");
      this.warnOfWholeWatch(kind);
      const handler = enqueueForOwner(this.primary.kind, { onlyController: !options.matchEveryOwner });
      return this.source(kind, handler, options);
    });
    return this;
  }

  private guardOf(kind: Kind): ShardGuard | undefined {
    const { sharding: shard, cache, client, apiReader } = this.manager;
    return shard?.reconciles(kind) ? new ShardGuard({ shard, kind, cache, client, apiReader }) : undefined;
  }

  /** Without the label of the shard, each replica receives and keeps the owned objects of all replicas. */
  private warnOfWholeWatch(kind: Kind): void {
    const { sharding: shard, logger } = this.manager;
    if (!this.guard || !shard || shard.labels(kind)) return;
    const hint =
      "add the kind to controlledResources of the ControllerRing, so that a shard watches only its own objects";
    logger.info("Each shard watches all objects of an owned kind", { kind: groupKindOf(kind), ring: shard.ring, hint });
  }

  protected override fieldsOf({ name, namespace = "" }: Request): Fields {
    return { [this.primary?.kind.kind ?? "object"]: { name, namespace }, namespace, name };
  }
}

/**
 * Starts to build a controller for the manager.
 *
 * @example
 * await controllerManagedBy(mgr)
 *   .for(Memcached, { predicates: [generationChanged()] })
 *   .owns(Deployment)
 *   .withOptions({ maxConcurrentReconciles: 2 })
 *   .complete(reconciler);
 */
export function controllerManagedBy(manager: Manager): ControllerBuilder {
  return new ControllerBuilder(manager);
}
