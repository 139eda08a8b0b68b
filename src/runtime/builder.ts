import { groupKindOf, metadataOnly, type Kind } from "../apimachinery/kind.ts";
import type { KubeObject } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { systemClock } from "./clock.ts";
import { Controller } from "./controller.ts";
import { enqueueForObject, enqueueForOwner, type EventHandler } from "./handlers.ts";
import type { Logger } from "./log/logger.ts";
import type { ControllerDefaults, Manager } from "./manager.ts";
import type { Predicate } from "./predicates.ts";
import { PriorityQueue } from "./queue/priority-queue.ts";
import type { RateLimiter } from "./queue/rate-limiter.ts";
import type { Reconciler } from "./reconciler.ts";
import { requestKey, type Request } from "./request.ts";
import { kindSource, type Source } from "./sources.ts";

export interface WatchKindOptions<T extends KubeObject> {
  /** All must let an event pass. */
  readonly predicates?: readonly Predicate<T>[];
  /** Keeps only the metadata of these objects in memory; read the kind with `metadataOnly(kind)` then. */
  readonly metadataOnly?: boolean;
}

export interface OwnsOptions<T extends KubeObject> extends WatchKindOptions<T> {
  /** Requests for every owner of the kind, not just the controller. */
  readonly matchEveryOwner?: boolean;
}

export interface BuilderOptions extends Omit<ControllerDefaults, "groupKindConcurrency" | "skipNameValidation"> {
  readonly rateLimiter?: RateLimiter;
  readonly logger?: Logger;
}

const claimedNames = new WeakMap<Manager, Set<string>>();

/** Puts a controller together: what it is for, what it watches, and how. */
export class ControllerBuilder {
  private readonly manager: Manager;
  private primary: { kind: Kind; source: Source } | undefined;
  private readonly watched: (() => Source)[] = [];
  private readonly filters: Predicate[] = [];
  private options: BuilderOptions = {};
  private name: string | undefined;

  constructor(manager: Manager) {
    this.manager = manager;
  }

  /** The kind that is reconciled; once. Requests name its objects. */
  for<T extends KubeObject>(kind: Kind<T>, options: WatchKindOptions<T> = {}): this {
    if (this.primary) throw incomplete("for() was called twice");
    this.primary = { kind, source: this.source(kind, enqueueForObject(), options) };
    return this;
  }

  /** A kind whose objects are made for the primary ones: a change of one reconciles its owner. */
  owns<T extends KubeObject>(kind: Kind<T>, options: OwnsOptions<T> = {}): this {
    this.watched.push(() => {
      if (!this.primary) throw incomplete("owns() needs for(), which says whose objects they are");
      const handler = enqueueForOwner(this.primary.kind, { onlyController: !options.matchEveryOwner });
      return this.source(kind, handler, options);
    });
    return this;
  }

  /** Any other kind, with a handler that knows which objects its changes concern. */
  watches<T extends KubeObject>(kind: Kind<T>, handler: EventHandler<T>, options: WatchKindOptions<T> = {}): this {
    this.watched.push(() => this.source(kind, handler, options));
    return this;
  }

  /** A source of your own; `withEventFilter` does not reach it. */
  watchesSource(source: Source): this {
    this.watched.push(() => source);
    return this;
  }

  /** A predicate for all kinds of this controller. */
  withEventFilter(predicate: Predicate): this {
    this.filters.push(predicate);
    return this;
  }

  withOptions(options: BuilderOptions): this {
    this.options = { ...this.options, ...options };
    return this;
  }

  /** The name in logs and metrics; the kind in lower case if absent. */
  named(name: string): this {
    this.name = name;
    return this;
  }

  /** Builds the controller and adds it to the manager. */
  async complete(reconciler: Reconciler): Promise<Controller> {
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
    if (names.has(name) && !this.manager.options.controller?.skipNameValidation) {
      throw new TsopError("TSOP_CONTROLLER_NAME_TAKEN", { name });
    }
    claimedNames.set(this.manager, names.add(name));
  }

  private controller(name: string, reconciler: Reconciler): Controller {
    const { metrics, options } = this.manager;
    const clock = options.clock ?? systemClock;
    const settings = { ...options.controller, ...this.options };
    const maxConcurrentReconciles = this.concurrency();
    const queue: PriorityQueue<Request> = new PriorityQueue<Request>({
      keyOf: requestKey,
      clock,
      ...(settings.rateLimiter ? { rateLimiter: settings.rateLimiter } : {}),
      observer: metrics?.queue(name, () => queue.workStarts, () => clock.now()), // prettier-ignore
    });
    return new Controller({
      name,
      reconciler,
      queue,
      clock,
      log: this.logger(name),
      describe: this.describe(),
      metrics: metrics?.controller(name, maxConcurrentReconciles),
      maxConcurrentReconciles,
      cacheSyncTimeout: settings.cacheSyncTimeout,
      reconciliationTimeout: settings.reconciliationTimeout,
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

  private logger(name: string): Logger {
    const log = (this.options.logger ?? this.manager.logger).withValues({ controller: name });
    if (!this.primary) return log;
    const { group, kind } = this.primary.kind;
    return log.withValues({ controllerGroup: group, controllerKind: kind });
  }

  private describe(): (request: Request) => Record<string, unknown> {
    const key = this.primary?.kind.kind ?? "object";
    return ({ name, namespace = "" }) => ({ [key]: { name, namespace }, namespace, name });
  }

  private source<T extends KubeObject>(kind: Kind<T>, handler: EventHandler<T>, options: WatchKindOptions<T>): Source {
    const watched = options.metadataOnly ? (metadataOnly(kind) as Kind<T>) : kind;
    const { cache } = this.manager;
    // Filters are added until complete(), so they are looked at when the source starts.
    return {
      description: `kind source: ${groupKindOf(kind)}`,
      start: (enqueue, ctx) => {
        const predicates = [...this.filters, ...(options.predicates ?? [])];
        return kindSource({ cache, kind: watched, handler, predicates }).start(enqueue, ctx);
      },
    };
  }
}

/** Begins a controller that the manager will run. */
export function controllerManagedBy(manager: Manager): ControllerBuilder {
  return new ControllerBuilder(manager);
}

function incomplete(reason: string): TsopError {
  return new TsopError("TSOP_CONTROLLER_INCOMPLETE", { reason });
}
