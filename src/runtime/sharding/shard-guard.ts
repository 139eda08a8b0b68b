import { groupKindOf, metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type Named } from "../../apimachinery/meta.ts";
import { isConflict, isNotFound, isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client, Reader } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import type { Cache } from "../cache/cache.ts";
import { compareResourceVersions } from "../cache/resource-version.ts";
import { enqueueForObject, type EventHandler } from "../controller/handlers.ts";
import { readingMetadata } from "../controller/metadata-readers.ts";
import { isTerminalError, type ReconcileContext, type Reconciler, type Result } from "../controller/reconciler.ts";
import { requestKey, type Request } from "../controller/request.ts";
import { kindSource, type Source } from "../controller/sources.ts";
import type { Shard } from "./shard.ts";
import { controllerOf } from "../objects/owner-references.ts";

export interface ShardGuardParts {
  readonly shard: Shard;
  /** As it is watched: possibly as metadata only. */
  readonly kind: Kind;
  readonly cache: Cache;
  readonly client: Client;
  readonly apiReader: Reader;
}

/**
 * Passes the objects of this shard to a reconciler, and no others, for every cause of a request: an event, a timer, a
 * retry. Lets an object go if the sharder asks for it. A request for an object waits for its running reconcile, so that
 * it is let go after that.
 *
 * A request for an absent object reaches the reconciler only if the object was this shard's and is deleted. An object
 * that leaves the selector of a watch and a deleted one cause the same event with the same labels, so the server is
 * asked once whether the object exists. An object that this shard has let go is not asked for: from then on, its next
 * shard handles its deletion.
 */
export class ShardGuard {
  private readonly parts: ShardGuardParts;
  /** The versions from which on objects are not this shard's, while the cache may have older ones. */
  private readonly letGo = new Map<string, string | undefined>();
  /** Objects that have disappeared from the watch, and whose reconcile is due. */
  private readonly vanished = new Set<string>();
  /** The children that arrived while the reconcile of their object failed. */
  private readonly arrivedChildren = new Map<string, string>();

  constructor(parts: ShardGuardParts) {
    this.parts = parts;
  }

  /** Returns the handler of the watch that reconciles the objects themselves. */
  get handler(): EventHandler {
    const handler = enqueueForObject();
    return {
      ...handler,
      delete: (event, enqueue) => {
        if (this.hasLeft(event.object)) return undefined;
        this.vanished.add(keyOf(event.object));
        return handler.delete?.(event, enqueue);
      },
    };
  }

  /**
   * Returns a source that no predicate of the user filters: it requests a reconcile for each object to let go. It must
   * start after the user's sources, because it forgets the objects that `handler` asks for.
   */
  get source(): Source {
    const { kind, cache, shard } = this.parts;
    const seen = (object: Named): Request | undefined => {
      const key = keyOf(object);
      if (this.letGo.has(key) && !this.hasLeft(object)) this.letGo.delete(key);
      return shard.isDraining(object) ? objectKey(object) : undefined;
    };
    const handler = readingMetadata<EventHandler>({
      create: ({ object }, enqueue) => {
        const request = seen(object);
        if (request) enqueue(request, 0);
      },
      update: ({ objectNew }, enqueue) => {
        const request = seen(objectNew);
        if (request) enqueue(request, 0);
      },
      delete: ({ object }) => void this.letGo.delete(keyOf(object)),
    });
    return { ...kindSource({ cache, kind, handler }), description: `drain source: ${kind.plural}` };
  }

  /** Returns a reconciler that calls another one for this shard's objects. */
  around(reconciler: Reconciler): Reconciler {
    return {
      reconcile: async (request, ctx) => {
        const { shard, kind, cache } = this.parts;
        const key = requestKey(request);
        const object = await cache.getOrUndefined(kind, request, { signal: ctx.signal });
        if (!object) return this.reconcileVanished(reconciler, request, ctx);
        this.vanished.delete(key);
        if (!shard.has(object) || this.hasLeft(object)) return {};
        // Another controller that still works on the object has a request to let it go, too.
        if (shard.isDraining(object)) return shard.runs.has(this.runOf(key)) ? {} : this.drain(object, ctx);
        return this.run(key, () => this.reconcile(reconciler, { request, object, ctx }));
      },
    };
  }

  /** A child that has not followed its object to this shard yet is expected: it follows without help. */
  private async reconcile(
    reconciler: Reconciler,
    { request, object, ctx }: { request: Request; object: Named; ctx: ReconcileContext },
  ): Promise<Result | void> {
    const key = requestKey(request);
    try {
      const result = await reconciler.reconcile(request, ctx);
      this.arrivedChildren.delete(key);
      return result;
    } catch (error) {
      const child = await findUnseenChild(error, object, { ...this.parts, signal: ctx.signal });
      // One that arrives in this moment is seen the next time, unless the reconciler does not look.
      if (!child || (child.hasArrived && this.arrivedChildren.get(key) === child.name)) throw error;
      if (child.hasArrived) this.arrivedChildren.set(key, child.name);
      ctx.log.info("A child of the object has not followed it to this shard yet, trying again", { child: child.name });
      return { requeue: true };
    }
  }

  /** Counts the running reconciles of an object, in one or several controllers. */
  private async run(key: string, reconcile: () => Promise<Result | void>): Promise<Result | void> {
    const { runs } = this.parts.shard;
    const run = this.runOf(key);
    runs.set(run, (runs.get(run) ?? 0) + 1);
    try {
      return await reconcile();
    } finally {
      const others = runs.get(run)! - 1;
      if (others > 0) runs.set(run, others);
      else runs.delete(run);
    }
  }

  private runOf(key: string): string {
    return `${groupKindOf(this.parts.kind)}/${key}`;
  }

  private async reconcileVanished(
    reconciler: Reconciler,
    request: Request,
    ctx: ReconcileContext,
  ): Promise<Result | void> {
    const key = requestKey(request);
    if (!this.vanished.has(key)) return {};
    const { apiReader, kind } = this.parts;
    const moved = await apiReader.getOrUndefined(metadataOnly(kind), request, { signal: ctx.signal });
    if (moved) {
      this.vanished.delete(key);
      return {};
    }
    try {
      const result = await reconciler.reconcile(request, ctx);
      if (!result?.requeueAfter && !result?.requeue) this.vanished.delete(key);
      return result;
    } catch (error) {
      if (isTerminalError(error)) this.vanished.delete(key);
      throw error;
    }
  }

  /** Removes both labels, upon which the sharder's webhook assigns the object to its next shard. */
  private async drain(object: Named, { log, signal }: ReconcileContext): Promise<Result> {
    const { client, kind, cache, shard } = this.parts;
    const { resourceVersion } = object.metadata;
    const labels = { [shard.shardLabel]: null, [shard.drainLabel]: null };
    const key = keyOf(object);
    try {
      const patch = mergePatch({ metadata: { resourceVersion, labels } });
      const answer = await client.patch(kind, object, patch, { signal });
      log.v(1).info("Let the object go to another shard");
      if (shard.has(answer)) return {};
      this.vanished.delete(key);
      // If the watch was faster, the cache has no old version to be aware of.
      if (await cache.getOrUndefined(kind, objectKey(object), { signal }))
        this.letGo.set(key, answer.metadata.resourceVersion);
    } catch (error) {
      // The cache is behind: the next event of the object decides.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    return {};
  }

  /** Reports whether this is a state of an object before this shard let it go, or the end of it. */
  private hasLeft(object: KubeObject): boolean {
    const key = keyOf(object);
    if (!this.letGo.has(key)) return false;
    return (compareResourceVersions(object.metadata.resourceVersion, this.letGo.get(key)) ?? 0) <= 0;
  }
}

function keyOf(object: KubeObject): string {
  return requestKey({ name: object.metadata.name ?? "", namespace: object.metadata.namespace });
}

/** A child that exists although the reconcile of its object has not seen it. */
interface UnseenChild {
  readonly name: string;
  /** True if the cache of this shard has it by now. */
  readonly hasArrived: boolean;
}

/**
 * Finds the child that the server has refused to create with AlreadyExists because the object has it already, unseen by
 * this shard: the sharder moves an object first and its children later. Returns `undefined` for any other error.
 */
async function findUnseenChild(
  error: unknown,
  owner: Named,
  { cache, apiReader, signal }: { cache: Cache; apiReader: Reader; signal: AbortSignal },
): Promise<UnseenChild | undefined> {
  if (!isAlreadyExists(error)) return undefined;
  const { name, group = "", kind: resource = "" } = error.status.details ?? {};
  const kind = cache.kindOf({ group, resource });
  if (!name || !kind) return undefined;
  const key = { name, namespace: kind.scope === "Cluster" ? undefined : owner.metadata.namespace };
  const cached = await cache.getOrUndefined(kind, key, { signal });
  const child = cached ?? (await apiReader.getOrUndefined(metadataOnly(kind), key, { signal }));
  if (!child || controllerOf(child)?.uid !== owner.metadata.uid) return undefined;
  return { name: `${groupKindOf(kind)} ${name}`, hasArrived: cached !== undefined };
}
