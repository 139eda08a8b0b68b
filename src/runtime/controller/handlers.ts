import { parseApiVersion, type Kind } from "../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type Named } from "../../apimachinery/meta.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./events.ts";
import { lowPriority } from "../queue/work-queue.ts";
import { readingAs, readingMetadata } from "./metadata-readers.ts";
import { requestKey, structuralKey, type Request } from "./request.ts";

/** Adds a request; `priority` is 0 unless the event can wait. */
export type Enqueue<R = Request> = (request: R, priority: number) => void;

/** Maps events to requests. An async handler delays later events of the same watch, but not other watches. */
export interface EventHandler<T extends KubeObject = KubeObject, R = Request> {
  readonly create?: (event: CreateEvent<T>, enqueue: Enqueue<R>) => void | Promise<void>;
  readonly update?: (event: UpdateEvent<T>, enqueue: Enqueue<R>) => void | Promise<void>;
  readonly delete?: (event: DeleteEvent<T>, enqueue: Enqueue<R>) => void | Promise<void>;
  readonly generic?: (event: GenericEvent<T>, enqueue: Enqueue<R>) => void | Promise<void>;
}

/** Returns the requests for an object; it can read the cache. */
export type MapFunction<T extends KubeObject = KubeObject, R = Request> = (
  object: Named<T>,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Enqueues the object itself.
 *
 * @example
 * controllerManagedBy(mgr).named("secrets").watches(Secret, enqueueForObject());
 */
export function enqueueForObject(): EventHandler {
  return readingMetadata<EventHandler>({
    create: (event, enqueue) => enqueue(objectKey(event.object), createPriority(event)),
    update: (event, enqueue) => enqueue(objectKey(event.objectNew), updatePriority(event)),
    delete: ({ object }, enqueue) => enqueue(objectKey(object), 0),
    generic: ({ object }, enqueue) => enqueue(objectKey(object), 0),
  });
}

/** Options of `enqueueForOwner`. */
export interface OwnerOptions {
  /** True (the default) for the controlling owner only. */
  readonly onlyController?: boolean;
}

/**
 * Enqueues the owners of an object that have this kind, in any version.
 *
 * @example
 * const handler = enqueueForOwner(Memcached, { onlyController: false });
 * controllerManagedBy(mgr).for(Memcached).watches(ConfigMap, handler);
 */
export function enqueueForOwner(owner: Kind, options: OwnerOptions = {}): EventHandler {
  const onlyController = options.onlyController ?? true;
  const owners = (object: KubeObject): Request[] => ownerRequests(object, owner, onlyController);
  return readingMetadata<EventHandler>({
    create: (event, enqueue) => {
      for (const request of owners(event.object)) enqueue(request, createPriority(event));
    },
    update: (event, enqueue) => {
      const requests = [...owners(event.objectOld), ...owners(event.objectNew)];
      for (const request of unique(requests)) enqueue(request, updatePriority(event));
    },
    delete: ({ object }, enqueue) => {
      for (const request of owners(object)) enqueue(request, 0);
    },
    generic: ({ object }, enqueue) => {
      for (const request of owners(object)) enqueue(request, 0);
    },
  });
}

/**
 * Enqueues the requests that a function returns for an object; of an update, for the old and the new one.
 *
 * @example
 * controllerManagedBy(mgr)
 *   .for(Memcached)
 *   .watches(Secret, enqueueFromMap(({ metadata }) => [{ name: metadata.name, namespace: metadata.namespace! }]));
 */
export function enqueueFromMap<T extends KubeObject, R = Request>(map: MapFunction<T, R>): EventHandler<T, R> {
  return {
    async create(event, enqueue) {
      for (const request of unique(await map(event.object))) enqueue(request, createPriority(event));
    },
    async update(event, enqueue) {
      const requests = [...(await map(event.objectOld)), ...(await map(event.objectNew))];
      for (const request of unique(requests)) enqueue(request, updatePriority(event));
    },
    async delete({ object }, enqueue) {
      for (const request of unique(await map(object))) enqueue(request, 0);
    },
    async generic({ object }, enqueue) {
      for (const request of unique(await map(object))) enqueue(request, 0);
    },
  };
}

/**
 * Gives the requests of a handler low priority if they come from the initial state or a resync, as the stock handlers
 * do. A priority that the handler itself sets is kept.
 *
 * @example
 * const handler = withLowPriorityWhenUnchanged<Secret>({
 *   create: ({ object }, enqueue) => enqueue({ name: object.metadata.name }, 0),
 * });
 */
export function withLowPriorityWhenUnchanged<T extends KubeObject, R = Request>(
  handler: EventHandler<T, R>,
): EventHandler<T, R> {
  const lowered =
    (enqueue: Enqueue<R>, low: number): Enqueue<R> =>
    (request, priority) =>
      enqueue(request, priority === 0 ? low : priority);
  return readingAs<EventHandler<T, R>>([handler], {
    create: (event, enqueue) => handler.create?.(event, lowered(enqueue, createPriority(event))),
    update: (event, enqueue) => handler.update?.(event, lowered(enqueue, updatePriority(event))),
    delete: (event, enqueue) => handler.delete?.(event, enqueue),
    generic: (event, enqueue) => handler.generic?.(event, enqueue),
  });
}

function createPriority({ isInInitialList }: CreateEvent): number {
  return isInInitialList ? lowPriority : 0;
}

function updatePriority({ objectOld, objectNew }: UpdateEvent): number {
  return objectOld.metadata.resourceVersion === objectNew.metadata.resourceVersion ? lowPriority : 0;
}

function ownerRequests(object: KubeObject, owner: Kind, onlyController: boolean): Request[] {
  const { ownerReferences, namespace } = object.metadata;
  if (!ownerReferences) return [];
  const requests: Request[] = [];
  for (const ref of ownerReferences) {
    if (onlyController && !ref.controller) continue;
    if (ref.kind !== owner.kind || parseApiVersion(ref.apiVersion).group !== owner.group) continue;
    requests.push(owner.scope === "Namespaced" ? { namespace, name: ref.name } : { name: ref.name });
  }
  return requests;
}

function unique<R>(requests: readonly R[]): Iterable<R> {
  if (requests.length < 2) return requests;
  return new Map(requests.map((request) => [keyOf(request), request])).values();
}

function keyOf(request: unknown): string {
  return isObjectKey(request) ? requestKey(request) : structuralKey(request);
}

function isObjectKey(request: unknown): request is Request {
  if (typeof request !== "object" || request === null || !("name" in request)) return false;
  return Object.keys(request).every((field) => field === "name" || field === "namespace");
}
