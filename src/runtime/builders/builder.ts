import { groupKindOf, metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { enqueueForObject, enqueueForOwner } from "../controller/handlers.ts";
import { TsopError } from "../../errors/tsop-error.ts";
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
    if (!guard) this.tellOutsideOfRing(kind);
    this.primary = { kind, source: this.source(kind, guard?.handler ?? enqueueForObject(), options) };
    return this;
  }

  /** Watches a kind of owned objects: a change of one reconciles its owner. */
  owns<T extends KubeObject>(kind: Kind<T>, options?: NoInfer<OwnsOptions<T>>): this;
  owns(kind: Kind, options: MetadataOnlyOptions & OwnerMatch): this;
  owns(kind: Kind, options: AnyWatchOptions & OwnerMatch = {}): this {
    this.watched.push(() => {
      if (!this.primary) throw incomplete("owns() needs for(), which says whose objects they are");
      this.checkOwned(this.primary.kind, kind);
      const handler = enqueueForOwner(this.primary.kind, { onlyController: !options.matchEveryOwner });
      return this.source(kind, handler, options);
    });
    return this;
  }

  private guardOf(kind: Kind): ShardGuard | undefined {
    const { sharding: shard, cache, client, apiReader } = this.manager;
    return shard?.reconciles(kind) ? new ShardGuard({ shard, kind, cache, client, apiReader }) : undefined;
  }

  /** Such a controller needs all objects of its kind, as it works on one replica. */
  private tellOutsideOfRing(kind: Kind): void {
    const { sharding: shard, logger } = this.manager;
    if (!shard) return;
    const { ring } = shard;
    const reason = "the ring lists it as a child, so that no replica has all of its objects";
    if (shard.labels(kind)) throw new TsopError("TSOP_RING_CHILD", { kind: groupKindOf(kind), ring, reason });
    logger.info("The ring does not list the kind of a controller, which does not share its work", { kind: groupKindOf(kind), ring }); // prettier-ignore
  }

  /** A child that does not follow its owner is missing in the owner's shard. */
  private checkOwned(owner: Kind, kind: Kind): void {
    const { sharding: shard, logger } = this.manager;
    if (!shard) return;
    const reason = shard.reasonToStray(owner, kind);
    const { ring } = shard;
    if (reason) throw new TsopError("TSOP_RING_CHILD", { kind: groupKindOf(kind), ring, reason });
    if (!this.guard || shard.labels(kind)) return;
    const hint = shard.canFollow(owner, kind)
      ? "add the kind to controlledResources of the ControllerRing, so that a shard watches only its own objects"
      : "the sharder can't assign a namespaced object to the shard of a cluster-scoped one";
    logger.info("Each shard watches all objects of an owned kind", { kind: groupKindOf(kind), ring, hint });
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
