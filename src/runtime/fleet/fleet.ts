import type { Clock } from "../../apimachinery/clock.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { Backoff } from "../cache/backoff.ts";
import { Latch } from "../latch.ts";
import type { Logger } from "../log/logger.ts";
import type { ClusterOptions } from "../manager/cluster.ts";
import type { Manager } from "../manager/manager.ts";
import { monotonicClock, wait } from "../monotonic-clock.ts";
import { isPanic } from "../panic.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";
import type { ClusterProvider, FleetChange } from "./cluster-provider.ts";
import { FleetMember, type SetUp } from "./fleet-member.ts";

/** Options of a fleet. */
export interface FleetOptions extends Pick<ClusterOptions, "cache" | "client"> {
  /** The name of the readiness check; the default is `fleet`. */
  readonly name?: string;
  /** Milliseconds between two looks whether a cluster answers; the default is 10 seconds. */
  readonly probeInterval?: number;
  /** The time limit in milliseconds for a connection, and for the answer to a look; the default is 5 seconds. */
  readonly connectTimeout?: number;
  /** False to connect on every replica; by default only the leader does. */
  readonly needLeaderElection?: boolean;
}

/** One cluster of a fleet: its clients, and recorders of its events. */
export interface FleetCluster extends Pick<
  Manager,
  "config" | "client" | "apiReader" | "cache" | "logger" | "eventRecorder" | "eventRecorderFor"
> {
  readonly name: string;
  /** False while the API server does not answer. */
  readonly isReachable: boolean;
}

/** The clusters of an operator, which come and go while it runs. */
export interface Fleet {
  /** The manager's own cluster. */
  readonly hub: Manager;
  /** The names of the clusters. */
  readonly clusters: readonly string[];
  /** Returns a cluster; throws a TsopError if the fleet has no cluster with this name. */
  cluster(name: string): FleetCluster;
  /**
   * Calls a function for each cluster that joins, once it answers, with a manager for this cluster and its name. What
   * the function adds stops when the cluster leaves, and starts again with the cluster after a failure.
   *
   * @example
   * fleet.forEachCluster((cluster) => controllerManagedBy(cluster).for(Memcached).complete(reconciler));
   */
  forEachCluster(setUp: (manager: Manager, name: string) => unknown): void;
}

/**
 * Creates the fleet of a provider's clusters, and adds it to the manager, whose cluster is the hub: its lease
 * also fences writes to the fleet's clusters. A cluster that does not answer costs only its own work.
 *
 * @example
 * const fleet = createFleet(mgr, kubeconfigFiles("/etc/clusters"));
 * fleet.forEachCluster((cluster) => controllerManagedBy(cluster).for(Memcached).complete(reconciler));
 * await mgr.start(setupSignalHandler());
 */
export function createFleet(hub: Manager, provider: ClusterProvider, options: FleetOptions = {}): Fleet {
  const fleet = new RunningFleet(hub, provider, options);
  hub.add(fleet);
  // As work of the leader, so that a ring of shards without leader election is refused.
  if (options.needLeaderElection ?? true) hub.add((signal) => fleet.lead(signal));
  else fleet.mayStart();
  hub.addReadyzCheck(options.name ?? "fleet", () => fleet.check());
  return fleet;
}

/** A name, and the cluster that has it. */
interface Slot {
  wanted: ClientConfig | undefined;
  member: FleetMember | undefined;
  /** Ends the wait after a failure. */
  wake: () => void;
  /** False if the provider has not yielded it since it was called again. */
  told: boolean;
}

/** The fleet as its controllers see it. */
export class RunningFleet implements Fleet, Runnable {
  readonly hub: Manager;
  readonly needLeaderElection = false;
  private readonly provider: ClusterProvider;
  private readonly options: FleetOptions;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly slots = new Map<string, Slot>();
  private readonly setUps: SetUp[] = [];
  private readonly listeners = new Set<(member: FleetMember) => void>();
  private readonly running = new Set<Promise<void>>();
  /** Open once this process leads. */
  private readonly leads = new Latch();
  private problem: unknown = new Error("the clusters are not listed yet");
  private listed = false;
  private readonly allowed: Promise<void>;
  private allow: () => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;
  private signal: AbortSignal = AbortSignal.abort();

  constructor(hub: Manager, provider: ClusterProvider, options: FleetOptions) {
    this.hub = hub;
    this.provider = provider;
    this.options = options;
    this.clock = hub.options.clock ?? monotonicClock;
    this.log = hub.logger.withName("fleet");
    this.allowed = new Promise((resolve) => {
      this.allow = resolve;
    });
    void hub.elected.then(() => this.leads.open());
  }

  get clusters(): readonly string[] {
    return [...this.slots.keys()].filter((name) => this.find(name));
  }

  cluster(name: string): FleetCluster {
    const member = this.find(name);
    if (!member) throw new TsopError("TSOP_FLEET_CLUSTER_UNKNOWN", { name, known: this.clusters.join(", ") || "none" });
    return asCluster(member);
  }

  find(name: string): FleetMember | undefined {
    const member = this.slots.get(name)?.member;
    return member?.signal.aborted ? undefined : member;
  }

  forEachCluster(setUp: (manager: Manager, name: string) => unknown): void {
    if (!this.signal.aborted) throw new TsopError("TSOP_MANAGER_STARTED", { what: "forEachCluster was called" });
    this.setUps.push(async (manager, name) => {
      await setUp(manager, name);
    });
  }

  /** Calls a function for each cluster that has joined, and each that will. Returns the way to end that. */
  engage(listener: (member: FleetMember) => void): () => void {
    this.listeners.add(listener);
    for (const name of this.clusters) listener(this.find(name)!);
    return () => this.listeners.delete(listener);
  }

  /** Caches of clusters start before the controllers that read them; no controller waits for another cluster. */
  waitForSync(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** Not ready until the clusters are known; a cluster that does not answer has no influence. */
  check(): void {
    // A replica that waits for the lease lists nothing, and is ready.
    if (!this.listed && !this.signal.aborted) throw new Error(messageOf(this.problem), { cause: this.problem });
  }

  /** Lets the fleet connect, from now on or from its start. */
  mayStart(): void {
    this.allow();
  }

  /** Runs on the leader. */
  lead(signal: AbortSignal): Promise<void> {
    this.allow();
    return untilAborted(signal);
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.race([this.allowed, untilAborted(signal)]);
    if (signal.aborted) return;
    this.signal = signal;
    const failed = new Promise<never>((_resolve, reject) => {
      this.fail = reject;
    });
    try {
      await Promise.race([this.follow(signal), failed]);
    } finally {
      for (const slot of this.slots.values()) this.drop(slot);
      await Promise.all(this.running);
    }
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(this.clock, { resetMs: 60_000 });
    while (!signal.aborted) {
      for (const slot of this.slots.values()) slot.told = false;
      try {
        for await (const change of this.provider.watch(signal)) {
          this.apply(change);
          if (signal.aborted) return;
        }
      } catch (error) {
        if (signal.aborted) return;
        this.problem = error;
        this.log.error(error, "The clusters of the fleet can't be listed");
      }
      await wait(this.clock, backoff.next(), signal);
    }
  }

  private apply(change: FleetChange): void {
    if (change.type === "cluster") this.want(change.name, change.config);
    else if (change.type === "removed") this.drop(this.slots.get(change.name));
    else if (change.type === "invalid") {
      this.log.error(change.error, "A configuration of the fleet can't be used", { source: change.source });
    } else {
      this.listed = true;
      for (const slot of this.slots.values()) if (!slot.told) this.drop(slot);
    }
  }

  private want(name: string, config: ClientConfig): void {
    const known = this.slots.get(name);
    if (known) {
      known.told = true;
      known.wanted = config;
      known.wake();
      if (known.member && !known.member.renew(config)) known.member.leave();
      return;
    }
    const slot: Slot = { wanted: config, member: undefined, wake: () => undefined, told: true };
    this.slots.set(name, slot);
    const kept = this.keep(name, slot).finally(() => this.running.delete(kept));
    this.running.add(kept);
  }

  private drop(slot: Slot | undefined): void {
    if (!slot) return;
    slot.wanted = undefined;
    slot.wake();
    slot.member?.leave();
  }

  /** Runs the clusters of a name one after the other, until the name is no longer wanted. */
  private async keep(name: string, slot: Slot): Promise<void> {
    const backoff = new Backoff(this.clock);
    const log = this.log.withValues({ cluster: name });
    // One after the other: two would reconcile the same objects at once.
    for (let config = slot.wanted; config && !this.signal.aborted; config = slot.wanted) {
      try {
        slot.member = this.member(name, config);
        log.info("The cluster has joined the fleet", { server: config.server });
        for (const listen of this.listeners) listen(slot.member);
        await slot.member.run(this.setUps);
      } catch (error) {
        if (isPanic(error)) this.fail(error);
        log.error(error, "The work of the cluster failed, and is started again");
        slot.member = undefined;
        await this.pause(slot, backoff.next());
      }
      slot.member = undefined;
    }
    this.slots.delete(name);
    log.info("The cluster has left the fleet");
  }

  private member(name: string, config: ClientConfig): FleetMember {
    const { hub, leads, clock, options } = this;
    const { cache = hub.options.cache, client = hub.options.client } = options;
    const { probeInterval = 10_000, connectTimeout = 5_000 } = options;
    return new FleetMember({ name, config, hub, leads, clock, cache, client, probeInterval, connectTimeout });
  }

  private async pause(slot: Slot, ms: number): Promise<void> {
    const over = new AbortController();
    slot.wake = () => over.abort();
    if (slot.wanted && !this.signal.aborted) await wait(this.clock, ms, over.signal);
  }
}

function asCluster(member: FleetMember): FleetCluster {
  const { name, manager } = member;
  const { client, apiReader, cache, logger } = manager;
  return {
    name,
    client,
    apiReader,
    cache,
    logger,
    get config() {
      return manager.config;
    },
    get isReachable() {
      return member.isReachable;
    },
    eventRecorder: (reporter) => manager.eventRecorder(reporter),
    eventRecorderFor: (reporter) => manager.eventRecorderFor(reporter),
  };
}
