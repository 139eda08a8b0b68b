import { compareText } from "../../../apimachinery/compare-text.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import { objectKey, type DeepReadonly, type KubeObject } from "../../../apimachinery/meta.ts";
import { Controller } from "../../../runtime/controller/controller.ts";
import { enqueueForObject, enqueueFromMap, type EventHandler } from "../../../runtime/controller/handlers.ts";
import { structuralKey, type Request } from "../../../runtime/controller/request.ts";
import type { Source } from "../../../runtime/controller/sources.ts";
import { PriorityQueue } from "../../../runtime/queue/priority-queue.ts";
import { exponentialRateLimiter } from "../../../runtime/queue/rate-limiter.ts";
import type { AddOptions } from "../../../runtime/queue/work-queue.ts";
import { reactionDelay, type SimulationContext } from "./simulation-context.ts";

export interface SimulatedController<R> {
  /** Reconciles one object, which may no longer exist; a number requests another round after that many milliseconds. */
  readonly step: (request: R) => Promise<number | void>;
  readonly sources?: readonly Source<R>[];
  /** A queue that `sources` do not fill alone; a `PacedQueue` by default. */
  readonly queue?: PacedQueue<R>;
}

/** Runs a controller until the context's signal aborts. */
export async function runController<R = Request>(
  context: SimulationContext,
  { step, sources = [], queue = new PacedQueue<R>(context) }: SimulatedController<R>,
): Promise<void> {
  const { log, signal } = context;
  const reconcile = async (request: R) => {
    const again = await step(request);
    return again === undefined ? {} : { requeueAfter: Math.max(1, again) };
  };
  const controller = new Controller<R>({ name: "simulation", reconciler: { reconcile }, queue, log, logOf: () => log });
  for (const source of sources) await controller.watch(source);
  await controller.start(signal);
}

/** Creates a source of the changes of a kind. Without a handler, they concern the object itself. */
export function watch<T extends KubeObject>(
  { objects }: SimulationContext,
  kind: Kind<T>,
  handler: EventHandler<T> = enqueueForObject(),
): Source {
  return objects.source(kind, handler);
}

/** Decides whether a change of another object concerns an object. */
type Concerns<T> = (object: DeepReadonly<T>, changed: KubeObject) => boolean;

/** Enqueues the objects of a kind that a change concerns, in all namespaces. */
export function enqueueAll<T extends KubeObject>(
  { objects }: SimulationContext,
  kind: Kind<T>,
  concerns: Concerns<T> = () => true,
): EventHandler {
  return enqueueFromMap((changed) => keysOf(objects.list(kind), (object) => concerns(object, changed)));
}

/** Enqueues the objects of a kind that a change concerns, in the namespace of the changed object. */
export function enqueueBeside<T extends KubeObject>(
  { objects }: SimulationContext,
  kind: Kind<T>,
  concerns: Concerns<T> = () => true,
): EventHandler {
  return enqueueFromMap((changed) =>
    keysOf(objects.list(kind, changed.metadata.namespace), (object) => concerns(object, changed)),
  );
}

/** Returns the keys of those objects that are chosen. */
export function keysOf<T extends KubeObject>(
  objects: readonly DeepReadonly<T>[],
  isChosen: (object: DeepReadonly<T>) => boolean,
): Request[] {
  return objects.filter(isChosen).map(objectKey);
}

/** Orders objects by the time of their creation, and by name. */
export function byAge({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  return compareText(`${a.creationTimestamp} ${a.name}`, `${b.creationTimestamp} ${b.name}`);
}

/**
 * A queue on the simulation's clock, in which a change waits for a while, so that changes that come together are one.
 */
export class PacedQueue<R = Request> extends PriorityQueue<R> {
  private readonly delay: () => number;

  constructor(context: SimulationContext, delay: () => number = () => reactionDelay(context)) {
    super({ keyOf: structuralKey, clock: context.clock, rateLimiter: exponentialRateLimiter(40, 5_000) });
    this.delay = delay;
  }

  override add(item: R, options: AddOptions = {}): void {
    const isTimed = options.rateLimited || options.afterMs !== undefined;
    super.add(item, isTimed ? options : { ...options, afterMs: Math.max(1, this.delay()) });
  }
}
