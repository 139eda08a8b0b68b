import { groupKindOf, metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, PartialObjectMetadata } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { monotonicClock } from "../monotonic-clock.ts";
import { Controller } from "../controller/controller.ts";
import type { EventHandler } from "../controller/handlers.ts";
import type { Fields, Logger } from "../log/logger.ts";
import type { ControllerDefaults, Manager } from "../manager/manager.ts";
import type { ControllerMetrics } from "../metrics/metrics.ts";
import type { Predicate } from "../controller/predicates.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { Reconciler } from "../controller/reconciler.ts";
import { structuralKey, type Request } from "../controller/request.ts";
import { kindSource, type Source } from "../controller/sources.ts";

/** Options of `for()` and `watches()`. */
export interface WatchKindOptions<T extends KubeObject> {
  /** All predicates must accept an event. */
  readonly predicates?: readonly Predicate<T>[];
  /** The objects are complete; with `true`, the types contain only metadata: MetadataOnlyOptions. */
  readonly metadataOnly?: false;
  /**
   * Starts the controller without waiting for this kind, and watches it once the server serves it: for a kind whose CRD
   * may be installed later or never.
   */
  readonly optional?: boolean;
}

/**
 * Options for a kind that is watched as metadata only: predicates and handlers receive nothing else. Passing
 * `metadataOnly(kind)` has the same effect and gives functions within `enqueueFromMap` the right type.
 */
export interface MetadataOnlyOptions extends Omit<WatchKindOptions<PartialObjectMetadata>, "metadataOnly"> {
  /** Keeps only metadata in memory; read the kind with `metadataOnly(kind)` then. */
  readonly metadataOnly: true;
}

/** Settings of a controller, instead of the manager's. */
export interface BuilderOptions<R = Request> extends Omit<ControllerDefaults, "groupKindConcurrency"> {
  /** The wait after each failure of a request; the default is 5 ms, 10 ms, 20 ms … up to 1000 s. */
  readonly rateLimiter?: RateLimiter;
  /** Creates another queue than the priority queue or the classic one, which then ignores `rateLimiter`. */
  readonly newQueue?: (controllerName: string) => WorkQueue<R>;
}

/** Either kind of options, to pass them on. */
export type AnyWatchOptions = WatchKindOptions<KubeObject> | MetadataOnlyOptions;

/** Creates the logger of a reconcile, or, without a request, of the controller itself. */
export type LogConstructor<R = Request> = (request: R | undefined) => Logger;

const claimedNames = new WeakMap<Manager, Set<string>>();

/** Builds a controller with requests of any type. */
export class TypedControllerBuilder<R> {
  protected primary: { kind: Kind; source: Source<R> } | undefined;
  /** Present if the objects of for() are shared out among the replicas. */
  protected guard: { readonly source: Source<R>; around(reconciler: Reconciler<R>): Reconciler<R> } | undefined;
  protected readonly watched: (() => Source<R>)[] = [];
  protected readonly manager: Manager;
  private readonly keyOf: (request: R) => string;
  protected readonly filters: Predicate[] = [];
  private options: BuilderOptions<R> = {};
  private logConstructor: LogConstructor<R> | undefined;
  private name: string | undefined;

  constructor(manager: Manager, keyOf: (request: R) => string) {
    this.manager = manager;
    this.keyOf = keyOf;
  }

  /** Watches another kind, with a handler that maps its changes to requests. */
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

  /** Watches another kind as metadata only; read it with `metadataOnly(kind)`. */
  watchesMetadata(
    kind: Kind,
    handler: EventHandler<PartialObjectMetadata, R>,
    options: Omit<MetadataOnlyOptions, "metadataOnly"> = {},
  ): this {
    return this.watches(kind, handler, { ...options, metadataOnly: true });
  }

  /** Adds a custom source, to which `withEventFilter` does not apply. */
  watchesSource(source: Source<R>): this {
    this.watched.push(() => source);
    return this;
  }

  /** The name of `watchesSource` in controller-runtime. */
  watchesRawSource(source: Source<R>): this {
    return this.watchesSource(source);
  }

  /** Adds a predicate for all kinds of this controller. */
  withEventFilter(predicate: Predicate): this {
    this.filters.push(predicate);
    return this;
  }

  withOptions(options: BuilderOptions<R>): this {
    this.options = { ...this.options, ...options };
    return this;
  }

  /** Replaces the logger of the controller and its reconciles. */
  withLogConstructor(logConstructor: LogConstructor<R>): this {
    this.logConstructor = logConstructor;
    return this;
  }

  /** Sets the name in logs and metrics; the default is the kind in lower case. */
  named(name: string): this {
    this.name = name;
    return this;
  }

  /** Builds the controller and adds it to the manager. */
  async complete(reconciler: Reconciler<R>): Promise<Controller<R>> {
    const manager = this.manager;
    const name = this.controllerName();
    const sources = [...(this.primary ? [this.primary.source] : []), ...this.watched.map((make) => make())];
    const { guard } = this;
    if (guard) sources.push(guard.source);
    if (sources.length === 0) throw incomplete("it watches nothing");
    const onStopped = this.claim(name);
    const controller = this.controller(name, guard ? guard.around(reconciler) : reconciler, onStopped);
    for (const source of sources) await controller.watch(source);
    manager.add(controller);
    return controller;
  }

  protected controllerName(): string {
    const name = this.name ?? this.primary?.kind.kind.toLowerCase();
    if (!name) throw incomplete("it has neither for() nor named()");
    return name;
  }

  /** Reserves the name: the metrics of two controllers with one name would collide. Returns the way to free it. */
  private claim(name: string): () => void {
    const names = claimedNames.get(this.manager) ?? new Set<string>();
    const skip = this.options.skipNameValidation ?? this.manager.options.controller?.skipNameValidation;
    if (names.has(name) && !skip) {
      throw new TsopError("TSOP_CONTROLLER_NAME_TAKEN", { name });
    }
    // The other controller of the name still has it.
    if (names.has(name)) return () => undefined;
    claimedNames.set(this.manager, names.add(name));
    return () => {
      names.delete(name);
      this.forget(name);
    };
  }

  /** @internal Removes what is left of a controller that was stopped. */
  protected forget(name: string): void {
    this.manager.metrics?.forgetController(name);
  }

  private controller(name: string, reconciler: Reconciler<R>, onStopped: () => void): Controller<R> {
    const { metrics, observer, options, around, turns } = this.manager;
    const clock = options.clock ?? monotonicClock;
    const settings = { ...options.controller, ...this.options };
    const maxConcurrentReconciles = this.concurrency(name);
    const queue = this.queue(name, settings);
    const log = this.logOf(name);
    const add = (request: R): void => queue.add(request);
    return new Controller({
      name,
      reconciler: around?.(reconciler, { name, keyOf: this.keyOf, add }) ?? reconciler,
      queue,
      clock,
      turns,
      log: log(undefined),
      logOf: log,
      metrics: metrics?.controller(name, maxConcurrentReconciles),
      metricsOf: this.metricsOf(name, maxConcurrentReconciles),
      observer,
      maxConcurrentReconciles,
      cacheSyncTimeout: settings.cacheSyncTimeout,
      reconciliationTimeout: settings.reconciliationTimeout,
      recoverPanic: settings.recoverPanic,
      sharded: this.guard !== undefined,
      needLeaderElection: settings.needLeaderElection,
      enableWarmup: settings.enableWarmup,
      onStopped,
    });
  }

  /** Returns the concurrency of the builder, else of the kind, else of the manager, else 1. */
  private concurrency(name: string): number {
    const { controller = {} } = this.manager.options;
    const forKind = this.primary && controller.groupKindConcurrency?.[groupKindOf(this.primary.kind)];
    const value = this.options.maxConcurrentReconciles ?? forKind ?? controller.maxConcurrentReconciles ?? 1;
    if (Number.isInteger(value) && value > 0) return value;
    throw new TsopError("TSOP_CONCURRENCY_INVALID", { name, value: String(value) });
  }

  protected queue(name: string, { newQueue, rateLimiter }: BuilderOptions<R>): WorkQueue<R> {
    if (newQueue) return newQueue(name);
    const { metrics, options } = this.manager;
    const clock = options.clock ?? monotonicClock;
    const workStarts = (): Iterable<number> => queue.workStarts;
    const observer = metrics?.queue(name, workStarts, () => clock.now());
    const queue: WorkQueue<R> = new PriorityQueue<R>({
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

  /** @internal Returns a function for the metrics of single requests, if they have metrics of their own. */
  protected metricsOf(
    _name: string,
    _maxConcurrentReconciles: number,
  ): ((request: R) => ControllerMetrics | undefined) | undefined {
    return undefined;
  }

  /** Returns the log fields of a request. */
  protected fieldsOf(request: R): Fields {
    return { request };
  }

  protected source(kind: Kind, handler: EventHandler<KubeObject, R>, options: AnyWatchOptions): Source<R> {
    const watched = options.metadataOnly ? metadataOnly(kind) : kind;
    const { cache } = this.manager;
    // Filters can be added until complete(), so they are read when the source starts.
    const { optional = false } = options;
    const made = (predicates: readonly Predicate[]): Source<R> =>
      kindSource({ cache, kind: watched, handler, predicates, optional });
    return {
      ...made([]),
      start: (enqueue, ctx) => made([...this.filters, ...(options.predicates ?? [])]).start(enqueue, ctx),
    };
  }
}

/**
 * Starts to build a controller with requests of any type instead of object names. Equal requests are one, unless
 * `keyOf` distinguishes them. It needs a name, and has no `for` and `owns`.
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

/** Creates the error of an incomplete controller. */
export function incomplete(reason: string): TsopError {
  return new TsopError("TSOP_CONTROLLER_INCOMPLETE", { reason });
}
