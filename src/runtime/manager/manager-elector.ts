import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { createClient } from "../../client/create-client.ts";
import { HttpTransport } from "../../client/transport/http-transport.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { CoreEventRecorder } from "../event-recorder/core-event-recorder.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { LeaderElector, type LeaderElectorOptions } from "../leader-election/leader-elector.ts";
import { leaseTimes, type LeaderElectionOptions } from "../leader-election/leader-election-options.ts";
import { Lease } from "../leader-election/lease-object.ts";
import type { Shard } from "../sharding/shard.ts";

export interface ElectorParts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics | undefined;
  readonly userAgent: string;
  /** Creates the recorder for events about leadership; called when one is due. */
  readonly recorder: (identity: string) => CoreEventRecorder;
  /** Resolves when no write of this process is on its way. */
  readonly settled: () => Promise<void>;
}

/** Creates the elector of a manager; returns `undefined` if leader election is disabled. */
export function managerElector(
  own: ClientConfig,
  options: LeaderElectionOptions | undefined,
  parts: ElectorParts,
): LeaderElector | undefined {
  if (!options?.enabled) return undefined;
  const { id: name } = options;
  if (!name) throw new TsopError("TSOP_LEADER_ELECTION_INCOMPLETE", { what: "an id" });
  return createElector(own, { ...options, name, identity: `${hostname()}_${randomUUID()}` }, parts);
}

/** Creates the elector of a shard, whose only candidate is the shard itself. */
export function shardElector(
  own: ClientConfig,
  shard: Shard | undefined,
  parts: ElectorParts,
): LeaderElector | undefined {
  if (!shard) return undefined;
  const { name, options, leaseLabels: labels } = shard;
  const lease = { name, identity: name, labels, releaseOnCancel: true, lost: "TSOP_SHARD_LOST" } as const;
  return createElector(own, { ...options, ...lease }, parts);
}

interface ElectorOptions extends LeaderElectionOptions, Pick<LeaderElectorOptions, "name" | "identity" | "lost"> {}

/** Creates an elector with a connection of its own. */
function createElector(own: ClientConfig, options: ElectorOptions, parts: ElectorParts): LeaderElector {
  const { name, identity, config = own, namespace = config.namespace } = options;
  const { log, clock, metrics } = parts;
  const transport = new HttpTransport(config, {
    userAgent: `${parts.userAgent}/leader-election`,
    observer: metrics?.requests(false),
  });
  const tell = (what: string): void => {
    const lease = { apiVersion: apiVersionOf(Lease), kind: Lease.kind, metadata: { name, namespace } };
    parts.recorder(identity).event(lease, "Normal", "LeaderElection", `${identity} ${what}`);
  };
  const { labels, releaseOnCancel, lost } = options;
  let led = false;
  const onChange = (leads: boolean): void => {
    metrics?.leading(name, leads);
    // A shard has no rivals, so that this says nothing.
    if (lost) return;
    if (leads) tell("became leader");
    else if (led) tell("stopped leading");
    led = leads;
  };
  const times = leaseTimes(options);
  const client = createClient({ transport });
  return new LeaderElector({
    client,
    namespace,
    name,
    identity,
    times,
    log,
    clock,
    labels,
    releaseOnCancel,
    lost,
    onChange,
    settled: parts.settled,
  });
}

/** A lease that some runnables of a manager need; without an elector they need none. */
export class HeldLease {
  private readonly elector: LeaderElector | undefined;
  /** Aborts to release the lease; `holding` settles after the release. */
  private readonly released = new AbortController();
  private holding: Promise<void> | undefined;

  constructor(elector: LeaderElector | undefined) {
    this.elector = elector;
  }

  get isNeeded(): boolean {
    return this.elector !== undefined;
  }

  /** Throws if the lease was acquired and may be another process' by now. */
  assertHeld(): void {
    this.elector?.assertLeading();
  }

  /** Acquires the lease and calls `begin`, unless the signal aborts before. `fail` receives the loss of the lease. */
  async acquire(signal: AbortSignal, begin: () => void, fail: (error: unknown) => void): Promise<void> {
    if (this.elector && !(await this.elector.acquire(signal))) return;
    begin();
    this.holding = this.elector?.hold(this.released.signal).catch(fail);
  }

  async release(): Promise<void> {
    this.released.abort();
    await this.holding;
  }
}
