import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import { isEndedBy, type Runnable } from "../runnable.ts";
import { Server } from "../servers/server.ts";
import { setMaxListeners } from "node:events";

/**
 * The groups of a manager, in the order in which they start. Servers and webhooks precede the caches, because the first
 * list of a kind may need a conversion webhook of this process.
 */
export class RunnableGroups {
  readonly servers: RunnableGroup;
  readonly webhooks: RunnableGroup;
  readonly caches: RunnableGroup;
  readonly others: RunnableGroup;
  readonly warmup: RunnableGroup;
  readonly shards: RunnableGroup;
  readonly leaders: RunnableGroup;
  /** Runnables that others use until their end, such as the sender of events. */
  readonly last: RunnableGroup;

  private readonly log: Logger;
  /** Runnables that must be in sync before their readers start. */
  private readonly readFrom: Pick<Runnable, "waitForSync">[] = [];

  constructor(onError: (error: unknown) => void, log: Logger) {
    this.log = log;
    this.servers = new RunnableGroup("HTTP servers", onError);
    this.webhooks = new RunnableGroup("webhooks", onError);
    this.caches = new RunnableGroup("caches", onError);
    this.others = new RunnableGroup("non leader election runnables", onError);
    this.warmup = new RunnableGroup("warmup runnables", onError);
    this.shards = new RunnableGroup("sharded controllers", onError);
    this.leaders = new RunnableGroup("leader election runnables", onError);
    this.last = new RunnableGroup("events", onError);
  }

  /** Adds a runnable to its group; it starts at once if the group has started. */
  add(added: Runnable | Runnable["start"]): void {
    const runnable: Runnable = typeof added === "function" ? { start: added } : added;
    if (runnable.warmUp) this.warmup.add({ start: async (signal) => runnable.warmUp?.(signal) });
    if (runnable.waitForSync) {
      this.readFrom.push(runnable);
      this.caches.add(runnable);
    } else if (runnable.sharded) this.shards.add(runnable);
    else if (runnable instanceof Server && !runnable.needLeaderElection) this.servers.add(runnable);
    else if (runnable.needLeaderElection === false) this.others.add(runnable);
    else this.leaders.add(runnable);
  }

  /** Starts the readers of the caches once these are in sync; resolves with false if the signal aborts before. */
  async startReaders(signal: AbortSignal): Promise<boolean> {
    for (const each of this.readFrom) await each.waitForSync?.(signal);
    if (signal.aborted) return false;
    this.others.start();
    this.warmup.start();
    return true;
  }

  /**
   * Stops all groups: reconcilers before the cache they read from, and the probes last. Then releases the lease, which
   * still sends an event. Resolves with an error that names a group that has not stopped within `graceMs`; 0 does not
   * wait, a negative time waits for ever.
   */
  async stop(graceMs: number, clock: Clock, giveUpLease: () => Promise<void>): Promise<TsopError | undefined> {
    const begun = clock.now();
    const ended = await isDone(this.stopInOrder(this.stopGroup(this.warmup)), graceMs, clock);
    // Groups stop one after the other, so the others wait for the first one that is still running.
    const late = this.stopOrder.find((group) => group.isRunning);
    // Stops all groups without waiting.
    if (!ended) void Promise.all(this.stopOrder.map((group) => group.stop()));
    await giveUpLease();
    const left = graceMs < 0 ? graceMs : Math.max(0, begun + graceMs - clock.now());
    await isDone(this.last.stop(), left, clock);
    if (ended || graceMs === 0) return undefined;
    return new TsopError("TSOP_SHUTDOWN_TIMEOUT", { seconds: graceMs / 1000, group: late?.name ?? "none" });
  }

  private get stopOrder(): readonly RunnableGroup[] {
    // An operator outside a ring says nothing about shards.
    const shards = this.shards.isEmpty ? [] : [this.shards];
    return [this.others, ...shards, this.leaders, this.caches, this.webhooks, this.servers];
  }

  private async stopInOrder(warmedDown: Promise<void>): Promise<void> {
    for (const group of this.stopOrder) await this.stopGroup(group);
    await warmedDown;
  }

  private stopGroup(group: RunnableGroup): Promise<void> {
    this.log.info(`Stopping and waiting for ${group.name}`);
    return group.stop();
  }
}

/** Reports whether the work ends within `ms`; 0 does not wait, a negative time waits for ever. */
async function isDone(work: Promise<void>, ms: number, clock: Clock): Promise<boolean> {
  if (ms === 0) return false;
  const done = new AbortController();
  const watched = work.finally(() => done.abort());
  if (ms < 0) await watched;
  else await Promise.race([watched, wait(clock, ms, done.signal)]);
  return done.signal.aborted;
}

/** Runnables that start and stop together. */
export class RunnableGroup {
  readonly name: string;
  private readonly onError: (error: unknown) => void;
  private readonly waiting: Runnable[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private started = false;

  /** `onError` receives the error of a runnable that failed before the group was stopped. */
  constructor(name: string, onError: (error: unknown) => void) {
    this.name = name;
    this.onError = onError;
    // Each runnable listens; Node takes more than ten listeners for a leak.
    setMaxListeners(0, this.stopping.signal);
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0 && !this.isRunning;
  }

  get isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Adds a runnable; it starts with the group, or at once if the group has started. */
  add(runnable: Runnable): void {
    if (this.started) this.run(runnable);
    else this.waiting.push(runnable);
  }

  start(): void {
    this.started = true;
    for (const runnable of this.waiting.splice(0)) this.run(runnable);
  }

  /** Stops all runnables; resolves when they have stopped. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.started = true;
    await Promise.all(this.running);
  }

  private run(runnable: Runnable): void {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const done = this.outcome(runnable, signal).finally(() => this.running.delete(done));
    this.running.add(done);
  }

  private async outcome(runnable: Runnable, signal: AbortSignal): Promise<void> {
    try {
      await runnable.start(signal);
    } catch (error) {
      if (!isEndedBy(signal, error)) this.onError(error);
    }
  }
}
