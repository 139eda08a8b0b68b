import { randomUUID } from "node:crypto";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { linkAbort } from "../linked-abort.ts";
import { monotonicClock } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { ControllerMetrics } from "../metrics/metrics.ts";
import { isPanic, panicFields, recoveredPanic } from "../panic.ts";
import type { AddOptions, Taken, WorkQueue } from "../queue/work-queue.ts";
import { Turns } from "../turns.ts";
import { isTerminalError, type ReconcileContext, type Reconciler, type Result } from "./reconciler.ts";
import type { Request } from "./request.ts";
import { isEndedBy, type Runnable } from "../runnable.ts";
import type { Source, SourceContext } from "./sources.ts";
import type { ObservedRound, WorkObserver } from "./work-observer.ts";

export interface ControllerOptions<R = Request> {
  readonly name: string;
  readonly reconciler: Reconciler<R>;
  readonly queue: WorkQueue<R>;
  readonly log: Logger;
  /** Returns the logger of a reconcile, whose lines identify its object. */
  readonly logOf: (request: R) => Logger;
  readonly metrics?: ControllerMetrics | undefined;
  /** Returns the metrics of a request that belong to another place than the controller's. */
  readonly metricsOf?: ((request: R) => ControllerMetrics | undefined) | undefined;
  readonly observer?: WorkObserver | undefined;
  readonly clock?: Clock;
  /** The default is 1. */
  readonly maxConcurrentReconciles?: number | undefined;
  /** The time limit for the initial state of sources; the default is 2 minutes. */
  readonly cacheSyncTimeout?: number | undefined;
  /**
   * True (the default) if an unexpected error of the reconciler, such as a TypeError, is handled like any other. False
   * lets it end the manager.
   */
  readonly recoverPanic?: boolean | undefined;
  /** Aborts `ctx.signal` of a reconcile that takes longer. */
  readonly reconciliationTimeout?: number | undefined;
  readonly needLeaderElection?: boolean | undefined;
  /** True if the reconciler receives the objects of this shard only. */
  readonly sharded?: boolean | undefined;
  /** Fills cache and queue while another replica leads, so that work can start at once. */
  readonly enableWarmup?: boolean | undefined;
  /** The time of loops, if others share it. */
  readonly turns?: Turns | undefined;
  /** Called when the controller has been stopped alone. */
  readonly onStopped?: (() => void) | undefined;
}

/** Passes requests from sources through a queue to a reconciler. */
export class Controller<R = Request> implements Runnable {
  readonly name: string;
  readonly needLeaderElection: boolean;
  readonly sharded: boolean;
  /** Present if warm-up is enabled. */
  readonly warmUp?: (signal: AbortSignal) => Promise<void>;
  private readonly options: ControllerOptions<R>;
  private readonly clock: Clock;
  private readonly turns: Turns;
  /** True if the lines of successful reconciles are logged. */
  private readonly verbose: boolean;
  private readonly sources: Source<R>[] = [];
  private started = false;
  private signal: AbortSignal | undefined;
  private sourcesStarted: Promise<unknown> | undefined;
  private running: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(options: ControllerOptions<R>) {
    this.name = options.name;
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
    this.turns = options.turns ?? new Turns();
    this.verbose = options.log.v(5).enabled;
    this.needLeaderElection = options.needLeaderElection ?? true;
    this.sharded = options.sharded ?? false;
    if (options.enableWarmup)
      this.warmUp = (signal) => this.startSources(linkAbort(signal, this.stopping.signal).signal);
  }

  /** Adds a source. After the start it starts at once, and the promise resolves with its initial state. */
  async watch(source: Source<R>): Promise<void> {
    this.sources.push(source);
    if (this.signal) await this.startSource(source, this.signal);
  }

  /** Resolves when all workers have finished; rejects if a source cannot start. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.started) throw new TsopError("TSOP_CONTROLLER_STARTED", { name: this.name });
    this.started = true;
    const until = linkAbort(signal, this.stopping.signal);
    this.running = this.run(until.signal).finally(until.release);
    await this.running;
  }

  /**
   * Stops this controller while its manager runs on, and the watches that nothing else needs: for a kind that comes and
   * goes. Resolves when its reconciles have ended, so that its own reconciler must not wait for it. Another controller
   * can have its name then.
   *
   * @example
   * const controller = await controllerManagedBy(mgr).for(Boat, { optional: true }).complete(reconciler);
   * await controller.stop();
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    // The manager has got its error.
    await this.running?.catch(() => undefined);
    for (const source of this.sources.splice(0)) await source.release?.();
    this.options.onStopped?.();
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { queue, log } = this.options;
    const shutDown = (): void => {
      log.info("Shutdown signal received, waiting for all workers to finish");
      queue.shutDown();
    };
    signal.addEventListener("abort", shutDown, { once: true });
    try {
      if (signal.aborted) return;
      log.info("Starting Controller");
      await this.startSources(signal);
      if (signal.aborted) return;
      await this.work(signal);
    } catch (error) {
      if (!isEndedBy(this.stopping.signal, error)) throw error;
    } finally {
      signal.removeEventListener("abort", shutDown);
      queue.shutDown();
    }
  }

  private get onEvent(): SourceContext["onEvent"] {
    const { observer } = this.options;
    return observer && ((request, event) => observer.enqueued(this.name, request, event));
  }

  private async work(signal: AbortSignal): Promise<void> {
    const { log } = this.options;
    const count = this.options.maxConcurrentReconciles ?? 1;
    log.info("Starting workers", { "worker count": count });
    await Promise.all(Array.from({ length: count }, () => this.worker(signal)));
    log.info("All workers finished");
  }

  /** Starts the sources once; a second caller waits for the first. */
  private async startSources(signal: AbortSignal): Promise<void> {
    this.signal ??= signal;
    this.sourcesStarted ??= Promise.all(this.sources.map((source) => this.startSource(source, signal)));
    await this.sourcesStarted;
  }

  private async startSource(source: Source<R>, signal: AbortSignal): Promise<void> {
    const { queue, log, cacheSyncTimeout } = this.options;
    log.info("Starting EventSource", { source: source.description });
    const enqueue = (request: R, priority: number): void => queue.add(request, { priority });
    const ctx = { signal, log, clock: this.clock, syncTimeoutMs: cacheSyncTimeout ?? 120_000, onEvent: this.onEvent };
    await source.start(enqueue, ctx);
  }

  private async worker(signal: AbortSignal): Promise<void> {
    const { queue, metricsOf } = this.options;
    for (let taken = await queue.get(); taken; taken = await queue.get()) {
      const metrics = metricsOf?.(taken.item) ?? this.options.metrics;
      metrics?.working(1);
      try {
        await this.handle(taken, signal, metrics);
      } finally {
        metrics?.working(-1);
        queue.done(taken.item);
      }
      // A reconcile without work awaits nothing: thousands of them would block the event loop.
      const turn = this.turns.next();
      if (turn) await turn;
    }
  }

  private async handle(
    { item, priority }: Taken<R>,
    signal: AbortSignal,
    metrics: ControllerMetrics | undefined,
  ): Promise<void> {
    const { queue, observer } = this.options;
    const started = this.clock.now();
    const seconds = (): number => (this.clock.now() - started) / 1000;
    const round = this.round(item, signal);
    const told = observer && this.tell(observer, item, round);
    try {
      if (this.verbose) round.log.v(5).info("Reconciling");
      const result = await (told
        ? told.run(() => this.reconcile(item, round, metrics))
        : this.reconcile(item, round, metrics));
      // Outside of the metrics call, whose arguments are not evaluated if metrics are disabled.
      const outcome = this.requeue(item, result, priority);
      metrics?.reconciled(outcome, seconds());
      told?.end(outcome, result.requeueAfter);
      if (this.verbose) round.log.v(5).info("Reconcile successful");
    } catch (thrown) {
      const { log } = round;
      told?.fail(thrown);
      const error = this.recovered(thrown, log, metrics);
      metrics?.reconciled("error", seconds());
      const terminal = isTerminalError(error);
      metrics?.failed(terminal);
      if (!terminal) queue.add(item, { rateLimited: true, priority });
      log.error(isPanic(error) ? this.recovered(error, log, metrics) : error, "Reconciler error");
    }
  }

  private tell(observer: WorkObserver, request: R, { reconcileID, attempt }: ReconcileContext): ObservedRound {
    const depth = this.options.queue.length;
    return observer.begin({ controller: this.name, request, reconcileID, attempt, depth });
  }

  /** Most reconciles log nothing, so the logger and its ID are created on demand. */
  private round(item: R, signal: AbortSignal): ReconcileContext {
    const { queue, logOf } = this.options;
    let log: Logger | undefined;
    let reconcileID: string | undefined;
    return {
      signal,
      attempt: queue.failures(item) + 1,
      get reconcileID() {
        return (reconcileID ??= randomUUID());
      },
      get log() {
        return (log ??= logOf(item).withValues({ reconcileID: this.reconcileID }));
      },
    };
  }

  /** Returns the error to handle; throws a panic that must end the manager. */
  private recovered(thrown: unknown, log: Logger, metrics: ControllerMetrics | undefined): unknown {
    if (!isPanic(thrown)) return thrown;
    metrics?.panicked();
    log.error(undefined, "Observed a panic", panicFields(thrown));
    if (this.options.recoverPanic ?? true) return recoveredPanic(thrown);
    throw thrown;
  }

  private async reconcile(item: R, ctx: ReconcileContext, metrics: ControllerMetrics | undefined): Promise<Result> {
    const { reconciler, reconciliationTimeout } = this.options;
    if (!reconciliationTimeout) return (await reconciler.reconcile(item, ctx)) ?? {};
    const deadline = linkAbort(ctx.signal);
    const cancel = this.clock.after(reconciliationTimeout, () => {
      metrics?.timedOut();
      deadline.abort(new Error(`the reconcile took longer than ${reconciliationTimeout} ms`));
    });
    try {
      return (await reconciler.reconcile(item, { ...ctx, signal: deadline.signal })) ?? {};
    } finally {
      cancel();
      deadline.release();
    }
  }

  private requeue(item: R, result: Result, priority: number): "success" | "requeue" | "requeue_after" {
    const { queue } = this.options;
    const again: AddOptions = { priority: result.priority ?? priority };
    const afterMs = result.requeueAfter ?? 0;
    // As a comparison with it is false, NaN would mean never.
    if (typeof afterMs !== "number" || Number.isNaN(afterMs))
      throw new TsopError("TSOP_REQUEUE_AFTER_INVALID", { value: String(afterMs) });
    if (afterMs > 0) {
      queue.forget(item);
      queue.add(item, { ...again, afterMs });
      return "requeue_after";
    }
    if (result.requeue) {
      queue.add(item, { ...again, rateLimited: true });
      return "requeue";
    }
    queue.forget(item);
    return "success";
  }
}
