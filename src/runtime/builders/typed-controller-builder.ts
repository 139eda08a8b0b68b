import { groupKindOf, metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, PartialObjectMetadata } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { monotonicClock } from "../clock.ts";
import { Controller } from "../controller/controller.ts";
import type { EventHandler } from "../controller/handlers.ts";
import type { Fields, Logger } from "../log/logger.ts";
import type { ControllerDefaults, Manager } from "../manager/manager.ts";
import type { Predicate } from "../controller/predicates.ts";
import { ClassicQueue } from "../queue/classic-queue.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { Reconciler } from "../controller/reconciler.ts";
import { structuralKey, type Request } from "../controller/request.ts";
import { kindSource, type Source } from "../controller/sources.ts";

/** For `for()` and `watches()`. */
export interface WatchKindOptions<T extends KubeObject> {
  /** All must let an event pass. */
  readonly predicates?: readonly Predicate<T>[];
  /** The objects are whole; with `true` the types know of nothing but their metadata: MetadataOnlyOptions. */
  readonly metadataOnly?: false;
  /**
   * The controller begins without waiting for this kind, and hears of it from when the server serves it: for a kind whose
   * CRD may be installed later or never.
   */
  readonly optional?: boolean;
}

/**
 * For a kind of which only the metadata is looked at: nothing else reaches predicates and handlers. Naming the kind as
 * `metadataOnly(kind)` says the same, and tells functions within `enqueueFromMap` and its like what they are given.
 */
export interface MetadataOnlyOptions extends Omit<WatchKindOptions<PartialObjectMetadata>, "metadataOnly"> {
  /** Keeps only the metadata of these objects in memory; read the kind with `metadataOnly(kind)` then. */
  readonly metadataOnly: true;
}

/** Settings of one controller, in place of the manager's. */
export interface BuilderOptions<R = Request> extends Omit<ControllerDefaults, "groupKindConcurrency"> {
  /** How long a request waits after each failure; 5 ms, 10 ms, 20 ms … up to 1000 s. */
  readonly rateLimiter?: RateLimiter;
  /** Another queue than the priority queue or the classic one; then `rateLimiter` is its own business. */
  readonly newQueue?: (controllerName: string) => WorkQueue<R>;
}

/** Either of both, for those who pass them on. */
export type AnyWatchOptions = WatchKindOptions<KubeObject> | MetadataOnlyOptions;

/** Makes the logger of a reconcile, or with no request that of the controller itself. */
export type LogConstructor<R = Request> = (request: R | undefined) => Logger;

const claimedNames = new WeakMap<Manager, Set<string>>();

/** Puts a controller together whose requests are of any type: what it watches, and how. */
export class TypedControllerBuilder<R> {
  protected primary: { kind: Kind; source: Source<R> } | undefined;
  protected readonly watched: (() => Source<R>)[] = [];
  private readonly manager: Manager;
  private readonly keyOf: (request: R) => string;
  private readonly filters: Predicate[] = [];
  private options: BuilderOptions<R> = {};
  private logConstructor: LogConstructor<R> | undefined;
  private name: string | undefined;

  constructor(manager: Manager, keyOf: (request: R) => string) {
    this.manager = manager;
    this.keyOf = keyOf;
  }

  /** Any other kind, with a handler that knows which objects its changes concern. */
  watches<T extends KubeObject>(
    kind: Kind<T>,
    handler: EventHandler<NoInfer<T>, R>,
    options?: NoInfer<WatchKindOptions<T>>,
  ): this;
  watches(kind: Kind, handler: EventHandler<PartialObjectMetadata, R>, options: MetadataOnlyOptions): this;
  watches(kind: Kind, handler: EventHandler<KubeObject, R>, options: AnyWatchOptions = {}): this {
    this.watched.push(() => this.source(kind, handler, options));
    return this;
  }

  /** Any other kind of which only the metadata is kept in memory; read it with `metadataOnly(kind)`. */
  watchesMetadata(
    kind: Kind,
    handler: EventHandler<PartialObjectMetadata, R>,
    options: Omit<MetadataOnlyOptions, "metadataOnly"> = {},
  ): this {
    return this.watches(kind, handler, { ...options, metadataOnly: true });
  }

  /** A source of your own; `withEventFilter` does not reach it. */
  watchesSource(source: Source<R>): this {
    this.watched.push(() => source);
    return this;
  }

  /** The name that controller-runtime has for `watchesSource`. */
  watchesRawSource(source: Source<R>): this {
    return this.watchesSource(source);
  }

  /** A predicate for all kinds of this controller. */
  withEventFilter(predicate: Predicate): this {
    this.filters.push(predicate);
    return this;
  }

  withOptions(options: BuilderOptions<R>): this {
    this.options = { ...this.options, ...options };
    return this;
  }

  /** Another logger for the controller and its rounds than the manager's with the fields of the object. */
  withLogConstructor(logConstructor: LogConstructor<R>): this {
    this.logConstructor = logConstructor;
    return this;
  }

  /** The name in logs and metrics; the kind in lower case if absent. */
  named(name: string): this {
    this.name = name;
    return this;
  }

  /** Builds the controller and adds it to the manager. */
  async complete(reconciler: Reconciler<R>): Promise<Controller<R>> {
    const { manager } = this;
    const name = this.name ?? this.primary?.kind.kind.toLowerCase();
    if (!name) throw incomplete("it has neither for() nor named()");
    const sources = [...(this.primary ? [this.primary.source] : []), ...this.watched.map((make) => make())];
    if (sources.length === 0) throw incomplete("it watches nothing");
    this.claim(name);
    const controller = this.controller(name, reconciler);
    for (const source of sources) await controller.watch(source);
    manager.add(controller);
    return controller;
  }

  /** Two controllers of one name would be one in metrics. */
  private claim(name: string): void {
    const names = claimedNames.get(this.manager) ?? new Set<string>();
    const skip = this.options.skipNameValidation ?? this.manager.options.controller?.skipNameValidation;
    if (names.has(name) && !skip) {
      throw new TsopError("TSOP_CONTROLLER_NAME_TAKEN", { name });
    }
    claimedNames.set(this.manager, names.add(name));
  }

  private controller(name: string, reconciler: Reconciler<R>): Controller<R> {
    const { metrics, options } = this.manager;
    const clock = options.clock ?? monotonicClock;
    const settings = { ...options.controller, ...this.options };
    const maxConcurrentReconciles = this.concurrency();
    const queue = this.queue(name, settings);
    const log = this.logOf(name);
    return new Controller({
      name,
      reconciler,
      queue,
      clock,
      log: log(undefined),
      logOf: log,
      metrics: metrics?.controller(name, maxConcurrentReconciles),
      maxConcurrentReconciles,
      cacheSyncTimeout: settings.cacheSyncTimeout,
      reconciliationTimeout: settings.reconciliationTimeout,
      recoverPanic: settings.recoverPanic,
      needLeaderElection: settings.needLeaderElection,
      enableWarmup: settings.enableWarmup,
    });
  }

  /** The builder's own, else the one for the kind, else the manager's, else 1. */
  private concurrency(): number {
    const { controller = {} } = this.manager.options;
    const forKind = this.primary && controller.groupKindConcurrency?.[groupKindOf(this.primary.kind)];
    return this.options.maxConcurrentReconciles ?? forKind ?? controller.maxConcurrentReconciles ?? 1;
  }

  private queue(name: string, { newQueue, usePriorityQueue = true, rateLimiter }: BuilderOptions<R>): WorkQueue<R> {
    if (newQueue) return newQueue(name);
    const { metrics, options } = this.manager;
    const clock = options.clock ?? monotonicClock;
    const Queue = usePriorityQueue ? PriorityQueue : ClassicQueue;
    const workStarts = (): Iterable<number> => queue.workStarts;
    const observer = metrics?.queue(name, workStarts, () => clock.now());
    const queue: WorkQueue<R> = new Queue<R>({
      keyOf: this.keyOf,
      clock,
      ...(rateLimiter && { rateLimiter }),
      observer,
    });
    return queue;
  }

  private logOf(name: string): LogConstructor<R> {
    if (this.logConstructor) return this.logConstructor;
    const logger = this.options.logger ?? this.manager.options.controller?.logger ?? this.manager.logger;
    const base = logger.withValues({ controller: name });
    const primary = this.primary?.kind;
    const log = primary ? base.withValues({ controllerGroup: primary.group, controllerKind: primary.kind }) : base;
    return (request) => (request === undefined ? log : log.withValues(this.fieldsOf(request)));
  }

  /** What lines of a round say about its request. */
  protected fieldsOf(request: R): Fields {
    return { request };
  }

  protected source(kind: Kind, handler: EventHandler<KubeObject, R>, options: AnyWatchOptions): Source<R> {
    const watched = options.metadataOnly ? metadataOnly(kind) : kind;
    const { cache } = this.manager;
    // Filters are added until complete(), so they are looked at when the source starts.
    return {
      description: `kind source: ${groupKindOf(kind)}`,
      start: (enqueue, ctx) => {
        const predicates = [...this.filters, ...(options.predicates ?? [])];
        const { optional = false } = options;
        return kindSource({ cache, kind: watched, handler, predicates, optional }).start(enqueue, ctx);
      },
    };
  }
}

/**
 * Begins a controller whose requests are not names of objects, but whatever its sources and handlers make. Requests that
 * say the same are the same, unless `keyOf` tells them apart. It has a name, and no `for` and `owns`.
 *
 * @example
 * interface Region { readonly cluster: string; readonly zone: string }
 * await typedControllerManagedBy<Region>(mgr)
 *   .named("regions")
 *   .watches(Node, enqueueFromMap(({ metadata }) => [{ cluster: "a", zone: metadata.labels?.["zone"] ?? "" }]))
 *   .complete({ reconcile: async ({ zone }, ctx) => ctx.log.info("Looking at a zone", { zone }) });
 */
export function typedControllerManagedBy<R>(
  manager: Manager,
  options: { readonly keyOf?: (request: R) => string } = {},
): TypedControllerBuilder<R> {
  return new TypedControllerBuilder<R>(manager, options.keyOf ?? structuralKey);
}

/** Why a controller can't be built. */
export function incomplete(reason: string): TsopError {
  return new TsopError("TSOP_CONTROLLER_INCOMPLETE", { reason });
}
