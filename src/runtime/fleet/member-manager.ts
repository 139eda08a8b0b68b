import type { RequestListener } from "node:http";
import type { Clock } from "../../apimachinery/clock.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Client, Reader } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { createClient } from "../../client/create-client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Cache } from "../cache/cache.ts";
import type { IndexFunction } from "../cache/object-store.ts";
import type { WorkObserver } from "../controller/work-observer.ts";
import type { CoreEventRecorder } from "../event-recorder/core-event-recorder.ts";
import { EventBroadcaster, type AnnotatedEventRecorder } from "../event-recorder/event-recorder.ts";
import type { Latch } from "../latch.ts";
import type { Logger } from "../log/logger.ts";
import { cachedAccess, type ClusterOptions } from "../manager/cluster.ts";
import type { Manager, ManagerOptions } from "../manager/manager.ts";
import { RunnableGroups } from "../manager/runnable-groups.ts";
import type { ClusterMetrics, Metrics } from "../metrics/metrics.ts";
import type { Runnable } from "../runnable.ts";
import type { Turns } from "../turns.ts";
import type { WebhookServer } from "../webhook/webhook-server.ts";
import type { ClusterConnection } from "./cluster-connection.ts";
import { whileReachable } from "./while-reachable.ts";

export interface MemberManagerParts extends Pick<ClusterOptions, "cache" | "client"> {
  readonly hub: Manager;
  /** Open once this process leads. */
  readonly leads: Latch;
  readonly connection: ClusterConnection;
  readonly metrics: ClusterMetrics | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The manager of one cluster: its runnables stop when the cluster leaves. */
export class MemberManager implements Manager {
  readonly client: Client;
  readonly apiReader: Reader;
  readonly cache: Cache;
  readonly logger: Logger;
  readonly options: ManagerOptions;
  readonly metrics: Metrics | undefined;
  readonly observer: WorkObserver | undefined;
  readonly elected: Promise<void>;
  readonly turns: Turns | undefined;
  /** @internal */
  readonly around: NonNullable<Manager["around"]>;
  private readonly parts: MemberManagerParts;
  private readonly events: EventBroadcaster;
  private readonly groups: RunnableGroups;
  private fail: (error: unknown) => void = () => undefined;
  /** Rejects with the error of the first runnable that fails. */
  readonly failed: Promise<never>;

  constructor(parts: MemberManagerParts) {
    const { hub, connection, metrics, log, clock } = parts;
    this.parts = parts;
    this.logger = log;
    this.options = hub.options;
    this.metrics = metrics && hub.metrics && { ...hub.metrics, ...metrics };
    this.observer = hub.observer;
    this.elected = hub.elected;
    this.turns = hub.turns;
    this.around = (reconciler, controller) => whileReachable(connection, reconciler, controller);
    this.failed = new Promise((_resolve, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => undefined);
    const transport = hub.fence?.(connection) ?? connection;
    const access = cachedAccess(transport, { ...parts, logger: log, metrics: this.metrics, turns: hub.turns });
    this.apiReader = access.live;
    this.cache = access.cache;
    this.client = access.client;
    this.events = new EventBroadcaster(createClient({ transport: connection }), log.withName("events"), clock);
    this.groups = new RunnableGroups((error) => this.fail(error), log.v(1));
    this.groups.add(this.cache);
    this.groups.last.add(this.events);
  }

  get config(): ClientConfig {
    return this.parts.connection.config;
  }

  /** Webhooks are the hub's: clusters call the URL of the operator, whichever cluster they are. */
  get webhookServer(): WebhookServer {
    return this.parts.hub.webhookServer;
  }

  add(runnable: Runnable | ((signal: AbortSignal) => Promise<void>)): void {
    this.groups.add(runnable);
  }

  indexField<T extends KubeObject>(kind: Kind<T>, field: string, valuesOf: IndexFunction<T>): void {
    this.cache.indexField(kind, field, valuesOf);
  }

  eventRecorder(name: string): AnnotatedEventRecorder {
    return this.events.recorder(name);
  }

  eventRecorderFor(name: string): CoreEventRecorder {
    return this.events.coreRecorder(name);
  }

  addHealthzCheck(_name: string): void {
    throw new TsopError("TSOP_FLEET_HUB_ONLY", { method: "addHealthzCheck" });
  }

  addReadyzCheck(_name: string): void {
    throw new TsopError("TSOP_FLEET_HUB_ONLY", { method: "addReadyzCheck" });
  }

  addMetricsServerExtraHandler(_path: string, _handler: RequestListener): void {
    throw new TsopError("TSOP_FLEET_HUB_ONLY", { method: "addMetricsServerExtraHandler" });
  }

  start(_signal: AbortSignal): Promise<void> {
    return Promise.reject(new TsopError("TSOP_FLEET_HUB_ONLY", { method: "start" }));
  }

  /** Starts the cache, whose watches wait until the cluster answers. */
  startCache(): void {
    this.groups.last.start();
    this.groups.caches.start();
  }

  /** Starts the runnables: readers of the cache once it is in sync, work of the leader once this process leads. */
  async startWork(signal: AbortSignal): Promise<void> {
    if (!(await this.groups.startReaders(signal))) return;
    if (await this.parts.leads.wait(signal)) this.groups.leaders.start();
  }

  /** Stops everything within the time; returns the error of a runnable that has not stopped. */
  stop(graceMs: number): Promise<TsopError | undefined> {
    return this.groups.stop(graceMs, this.parts.clock, () => Promise.resolve());
  }
}
