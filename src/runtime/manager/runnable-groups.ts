import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import { RunnableGroup } from "./runnable-group.ts";
import type { Runnable } from "../runnable.ts";
import { Server } from "../servers/server.ts";

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
  add(runnable: Runnable): void {
    if (runnable.warmUp) this.warmup.add({ start: async (signal) => runnable.warmUp?.(signal) });
    if (runnable instanceof Server && !runnable.needLeaderElection) this.servers.add(runnable);
    else if (runnable.waitForSync) this.caches.add(runnable);
    else if (runnable.sharded) this.shards.add(runnable);
    else if (runnable.needLeaderElection === false) this.others.add(runnable);
    else this.leaders.add(runnable);
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
