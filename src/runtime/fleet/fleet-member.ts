import { setMaxListeners } from "node:events";
import type { Clock } from "../../apimachinery/clock.ts";
import type { ClientConfig, ServerConfig } from "../../client/config/config.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Latch } from "../latch.ts";
import type { Logger } from "../log/logger.ts";
import type { ClusterOptions } from "../manager/cluster.ts";
import type { Manager } from "../manager/manager.ts";
import type { ClusterMetrics, ControllerMetrics } from "../metrics/metrics.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import { ClusterConnection } from "./cluster-connection.ts";
import { MemberManager } from "./member-manager.ts";

/** Adds controllers to the manager of a cluster. */
export type SetUp = (manager: Manager, name: string) => void | Promise<void>;

export interface MemberOptions extends Pick<ClusterOptions, "cache" | "client"> {
  readonly name: string;
  readonly config: ClientConfig;
  readonly hub: Manager;
  /** Open once this process leads. */
  readonly leads: Latch;
  readonly clock: Clock;
  readonly probeInterval: number;
  readonly connectTimeout: number;
}

/** One cluster from its joining to its leaving. */
export class FleetMember {
  readonly name: string;
  readonly manager: MemberManager;
  readonly log: Logger;
  readonly connection: ClusterConnection;
  private readonly options: MemberOptions;
  private readonly metrics: ClusterMetrics | undefined;
  private readonly controllers = new Map<string, ControllerMetrics>();
  private readonly left = new AbortController();
  private readonly listeners: (() => void)[] = [];

  constructor(options: MemberOptions) {
    const { name, config, hub, clock, probeInterval, connectTimeout } = options;
    this.options = options;
    this.name = name;
    // Every watch of every controller ends with it.
    setMaxListeners(0, this.left.signal);
    const logger = hub.logger.withValues({ cluster: name });
    this.log = logger.withName("fleet");
    this.metrics = hub.metrics?.ofCluster(name);
    const observer = this.metrics?.requests(hub.options.metrics?.restClient ?? false);
    const onChange = (reachable: boolean): void => {
      this.metrics?.reachable(reachable);
      for (const listener of this.listeners) listener();
    };
    const http = { userAgent: hub.options.userAgent ?? "tsop", observer };
    const own = { name, config, http, clock, log: this.log, probeInterval, connectTimeout, onChange };
    try {
      this.connection = new ClusterConnection(own);
    } catch (error) {
      this.metrics?.release();
      throw error;
    }
    const { connection, metrics } = this;
    this.manager = new MemberManager({ ...options, connection, metrics, log: logger });
  }

  /** Aborts when the cluster leaves. */
  get signal(): AbortSignal {
    return this.left.signal;
  }

  get isReachable(): boolean {
    return this.connection.isReachable;
  }

  /** Calls a function when the server answers, and when it no longer does. */
  onReachable(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Runs until the cluster leaves; rejects if its controllers fail. */
  async run(setUps: readonly SetUp[]): Promise<void> {
    const { signal } = this;
    const probing = this.connection.run(signal);
    this.manager.startCache();
    try {
      await Promise.race([this.work(setUps), this.manager.failed, untilAborted(signal)]);
      await Promise.race([untilAborted(signal), this.manager.failed]);
    } catch (error) {
      // Work that ends because the cluster leaves has not failed.
      if (!signal.aborted) throw error;
    } finally {
      this.left.abort();
      // Nothing that a cluster could still do is worth the wait if it does not answer.
      if (!this.isReachable) this.connection.close();
      const late = await this.manager.stop(this.options.hub.options.gracefulShutdownTimeout ?? 30_000);
      if (late) this.log.error(late, "The work of the cluster did not end in time");
      await probing;
      this.connection.end();
      this.metrics?.release();
    }
  }

  leave(): void {
    this.left.abort();
  }

  /** Takes another configuration of the same cluster; returns whether it is one. */
  renew(config: ClientConfig): boolean {
    if (!isSameServer(this.connection.config, config)) return false;
    if (equalJson(this.connection.config, config)) return true;
    this.connection.renew(config);
    this.log.info("The credentials of the cluster have changed");
    return true;
  }

  controllerMetrics(name: string, maxConcurrentReconciles: number): ControllerMetrics | undefined {
    const made = this.controllers.get(name) ?? this.metrics?.controller(name, maxConcurrentReconciles);
    if (made) this.controllers.set(name, made);
    return made;
  }

  forgetController(name: string): void {
    this.controllers.delete(name);
    this.metrics?.forgetController(name);
  }

  private async work(setUps: readonly SetUp[]): Promise<void> {
    const { signal } = this;
    if (setUps.length === 0) return;
    await this.connection.untilReachable(signal);
    for (const setUp of setUps) await setUp(this.manager, this.name);
    await this.manager.startWork(signal);
  }
}

const places = ["server", "ca", "caFile", "tlsServerName", "insecureSkipTlsVerify", "proxyUrl"] as const;

/** Reports whether two configurations name the same server. Another authority is another cluster. */
function isSameServer(a: ServerConfig, b: ServerConfig): boolean {
  return places.every((field) => a[field] === b[field]);
}
