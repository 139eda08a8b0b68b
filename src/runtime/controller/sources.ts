import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { waitForSync, type Cache } from "../cache/cache.ts";
import type { LazyObject } from "../../client/calls/lazy-object.ts";
import type { LazyHandler } from "../cache/informer.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { GenericEvent } from "./events.ts";
import type { Enqueue, EventHandler } from "./handlers.ts";
import type { Logger } from "../log/logger.ts";
import { readOnlyMetadata } from "./metadata-readers.ts";
import type { Predicate } from "./predicates.ts";
import type { Request } from "./request.ts";
import type { ObservedEvent } from "./work-observer.ts";

/** A source of a controller's requests. */
export interface Source<R = Request> {
  /** The name in logs, such as `kind source: Deployment.apps`. */
  readonly description: string;
  /** Starts to enqueue, and resolves when the initial state has been enqueued. Must stop when the signal aborts. */
  start(enqueue: Enqueue<R>, ctx: SourceContext): Promise<void>;
  /** @internal Ends what only this source needs, after its controller was stopped alone. */
  release?(): Promise<void>;
}

/** The arguments of a source at its start. */
export interface SourceContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  /** The time limit for the initial state. */
  readonly syncTimeoutMs: number;
  /** @internal Called with each request that an event has led to. */
  readonly onEvent?: ((request: unknown, event: ObservedEvent) => void) | undefined;
}

/** Options of `kindSource`. */
export interface KindSourceOptions<T extends KubeObject, R = Request> {
  readonly cache: Pick<Cache, "informer">;
  readonly kind: Kind<T>;
  readonly handler: EventHandler<NoInfer<T>, R>;
  /** All predicates must accept an event. */
  readonly predicates?: readonly NoInfer<Predicate<T>>[];
  /** Does not wait for the initial state: for a kind that the server may serve later. */
  readonly optional?: boolean;
}

/** The internal member of a cache, which the declarations of the package leave out. */
type Releasing = Partial<Pick<Cache, "releaseInformer">>;

/**
 * Creates a source of the events of a kind, from the cache.
 *
 * @example
 * const source = kindSource({ cache: mgr.cache, kind: Secret, handler: enqueueForOwner(Memcached) });
 * controllerManagedBy(mgr).for(Memcached).watchesSource(source);
 */
export function kindSource<T extends KubeObject, R = Request>(options: KindSourceOptions<T, R>): Source<R> {
  const { cache, kind, handler, predicates = [], optional = false } = options;
  return {
    description: `kind source: ${groupKindOf(kind)}`,
    async start(enqueue, ctx) {
      const informer = cache.informer(kind);
      informer.isOptional = optional && (informer.isOptional || !informer.isUsed);
      const delivery = new Delivery(ctx);
      const { onEvent } = ctx;
      const traced =
        (tell: NonNullable<typeof onEvent>, type: ObservedEvent["type"], object: LazyObject<T>): Enqueue<R> =>
        (request, priority) => {
          tell(request, { type, kind: kind.kind, object: object.whole });
          enqueue(request, priority);
        };
      const listener = listen(handler, predicates, (type, object, work) =>
        delivery.add(() => work(onEvent ? traced(onEvent, type, object) : enqueue)),
      );
      await informer.addLazyHandler(listener, ctx.signal);
      if (!optional) await waitForSync(informer, ctx.syncTimeoutMs, ctx.signal, ctx.clock);
      await delivery.settled();
    },
    release: async () => (cache as KindSourceOptions<T>["cache"] & Releasing).releaseInformer?.(kind),
  };
}

/**
 * A channel for events of the program; several controllers can listen to it.
 *
 * @example
 * const found = new EventChannel<Memcached>();
 * controllerManagedBy(mgr).for(Memcached).watchesSource(channelSource(found, enqueueForObject()));
 * found.send({ object: memcached });
 */
export class EventChannel<T extends KubeObject = KubeObject> {
  private readonly listeners = new Set<(event: GenericEvent<T>) => void>();
  /** Events sent before a controller listens. */
  private waiting: GenericEvent<T>[] | undefined = [];
  private readonly bufferSize: number;

  /** `bufferSize` limits the events that wait for the first controller; the default is 1024. */
  constructor(options: { readonly bufferSize?: number } = {}) {
    this.bufferSize = options.bufferSize ?? 1024;
  }

  /** Sends an event to every listening controller. Throws a TsopError if none listens and the buffer is full. */
  send(event: GenericEvent<T>): void {
    if (this.waiting) {
      const limit = this.bufferSize;
      if (this.waiting.length >= limit) throw new TsopError("TSOP_CHANNEL_FULL", { limit });
      this.waiting.push(event);
    } else {
      for (const listener of this.listeners) listener(event);
    }
  }

  /** @internal */
  listen(listener: (event: GenericEvent<T>) => void, signal: AbortSignal): void {
    this.listeners.add(listener);
    signal.addEventListener("abort", () => this.listeners.delete(listener), { once: true });
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const event of waiting) listener(event);
  }
}

/**
 * Creates a source of the generic events of a channel.
 *
 * @example
 * const channel = new EventChannel<Memcached>();
 * controllerManagedBy(mgr).for(Memcached).watchesSource(channelSource(channel, enqueueForObject()));
 */
export function channelSource<T extends KubeObject, R = Request>(
  channel: EventChannel<T>,
  handler: EventHandler<NoInfer<T>, R>,
  predicates: NoInfer<readonly Predicate<T>[]> = [],
): Source<R> {
  return {
    description: "channel source",
    start(enqueue, ctx) {
      const delivery = new Delivery(ctx);
      channel.listen((event) => {
        if (predicates.every((predicate) => predicate.generic?.(event) ?? true)) {
          delivery.add(() => handler.generic?.(event, enqueue));
        }
      }, ctx.signal);
      return Promise.resolve();
    },
  };
}

/**
 * Creates a source from a function.
 *
 * @example
 * const daily = funcSource((enqueue, { signal }) => {
 *   const timer = setInterval(() => enqueue({ namespace: "default", name: "report" }, 0), 86_400_000);
 *   signal.addEventListener("abort", () => clearInterval(timer));
 * }, "daily");
 * controllerManagedBy(mgr).named("reports").watchesSource(daily);
 */
export function funcSource<R = Request>(
  start: (enqueue: Enqueue<R>, ctx: SourceContext) => void | Promise<void>,
  description = "func source",
): Source<R> {
  return { description, start: async (enqueue, ctx) => start(enqueue, ctx) };
}

type Work<R> = (enqueue: Enqueue<R>) => void | Promise<void>;

function listen<T extends KubeObject, R>(
  handler: EventHandler<T, R>,
  predicates: readonly Predicate<T>[],
  deliver: (type: ObservedEvent["type"], object: LazyObject<T>, work: Work<R>) => void,
): LazyHandler<T> {
  const forCreate = readFor<T>(handler.create, ...predicates.map(({ create }) => create));
  const forUpdate = readFor<T>(handler.update, ...predicates.map(({ update }) => update));
  const forDelete = readFor<T>(handler.delete, ...predicates.map((predicate) => predicate.delete));
  return {
    add(object, isInInitialList) {
      const event = { object: forCreate(object), isInInitialList };
      if (!predicates.every((predicate) => predicate.create?.(event) ?? true)) return;
      deliver("create", object, (enqueue) => handler.create?.(event, enqueue));
    },
    update(objectOld, object) {
      const event = { objectOld, objectNew: forUpdate(object) };
      if (!predicates.every((predicate) => predicate.update?.(event) ?? true)) return;
      deliver("update", object, (enqueue) => handler.update?.(event, enqueue));
    },
    delete(object, deleteStateUnknown) {
      const event = { object: forDelete(object), deleteStateUnknown };
      if (!predicates.every((predicate) => predicate.delete?.(event) ?? true)) return;
      deliver("delete", object, (enqueue) => handler.delete?.(event, enqueue));
    },
  };
}

/** Returns a function that parses an object as far as these functions read it. */
function readFor<T extends KubeObject>(...functions: (object | undefined)[]): (object: LazyObject<T>) => Named<T> {
  // An object that is not parsed has its metadata.
  return readOnlyMetadata(functions) ? (object) => object as unknown as Named<T> : (object) => object.whole;
}

/** The calls of a handler that fails, about four minutes in all. */
const mostCalls = 10;
const [firstWaitMs, longestWaitMs] = [1_000, 60_000];

/**
 * Keeps the order of events if a handler is async; otherwise nothing is queued. A handler that fails is called again
 * later, behind other events: nothing else would repeat the event.
 */
class Delivery {
  private readonly ctx: Pick<SourceContext, "signal" | "log" | "clock">;
  private last: Promise<void> | undefined;

  constructor(ctx: Pick<SourceContext, "signal" | "log" | "clock">) {
    this.ctx = ctx;
  }

  add(work: Deliver, call = 1): void {
    if (this.last) {
      this.follow(this.last.then(work), work, call);
      return;
    }
    try {
      const done = work();
      // A function typed as void can still return a value.
      if (done instanceof Promise) this.follow(done, work, call);
    } catch (error) {
      this.fail(error, work, call);
    }
  }

  async settled(): Promise<void> {
    while (this.last) await this.last;
  }

  private follow(done: Promise<void>, work: Deliver, call: number): void {
    const last = done
      .catch((error: unknown) => this.fail(error, work, call))
      .finally(() => {
        if (this.last === last) this.last = undefined;
      });
    this.last = last;
  }

  private fail(error: unknown, work: Deliver, call: number): void {
    const { signal, log, clock } = this.ctx;
    if (call === mostCalls) {
      log.error(error, "An event handler failed again and again, and its event is lost", { calls: call });
      return;
    }
    if (call === 1) log.error(error, "An event handler failed, and is called again");
    void wait(clock, Math.min(firstWaitMs * 2 ** (call - 1), longestWaitMs), signal).then(() => {
      if (!signal.aborted) this.add(work, call + 1);
    });
  }
}

type Deliver = () => void | Promise<void>;
