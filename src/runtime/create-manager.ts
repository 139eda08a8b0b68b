import type { Kind } from "../apimachinery/kind.ts";
import type { KubeObject } from "../apimachinery/meta.ts";
import type { Client, Reader } from "../client/client.ts";
import type { ClientConfig } from "../client/config.ts";
import { createClient } from "../client/create-client.ts";
import { HttpTransport } from "../client/http-transport.ts";
import type { Transport } from "../client/transport.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { Cache } from "./cache/cache.ts";
import type { IndexFunction } from "./cache/store.ts";
import { cachedClient } from "./cached-client.ts";
import { systemClock, wait, type Clock } from "./clock.ts";
import { EventBroadcaster, type EventRecorder } from "./event-recorder.ts";
import { HealthServer } from "./health-server.ts";
import { HealthChecks, type HealthCheck } from "./health.ts";
import { isOff } from "./http-server.ts";
import type { Logger } from "./log/logger.ts";
import { zapLogger } from "./log/zap-logger.ts";
import type { Manager, ManagerOptions } from "./manager.ts";
import { MetricsServer } from "./metrics/metrics-server.ts";
import { loadMetrics } from "./metrics/load-metrics.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { RunnableGroup } from "./runnable-group.ts";
import { untilAborted, type Runnable } from "./runnable.ts";

/** Makes a manager for one cluster; nothing runs and no connection opens before `start`. */
export async function createManager(config: ClientConfig, options: ManagerOptions = {}): Promise<Manager> {
  const metrics = isOff(options.metrics?.bindAddress) ? undefined : await loadMetrics();
  const transport = new HttpTransport(config, {
    ...(options.userAgent ? { userAgent: options.userAgent } : {}),
    ...(metrics ? { onAnswer: (answer) => metrics.clientRequest(answer) } : {}),
  });
  return new RealManager(config, transport, { options, metrics });
}

const defaultGraceMs = 30_000;

class RealManager implements Manager {
  readonly config: ClientConfig;
  readonly client: Client;
  readonly apiReader: Reader;
  readonly cache: Cache;
  readonly logger: Logger;
  readonly options: ManagerOptions;
  readonly metrics: Metrics | undefined;
  readonly elected: Promise<void>;
  private readonly transport: Transport;
  private readonly clock: Clock;
  private readonly events: EventBroadcaster;
  private readonly healthz = new HealthChecks("healthz");
  private readonly readyz = new HealthChecks("readyz");
  private readonly servers: RunnableGroup;
  private readonly caches: RunnableGroup;
  private readonly others: RunnableGroup;
  private readonly leaders: RunnableGroup;
  private readonly failed: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;
  private becomeLeader: () => void = () => undefined;
  private state: "new" | "running" | "stopping" = "new";

  constructor(
    config: ClientConfig,
    transport: Transport,
    { options, metrics }: { options: ManagerOptions; metrics: Metrics | undefined },
  ) {
    this.config = config;
    this.options = options;
    this.metrics = metrics;
    this.transport = transport;
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger ?? zapLogger();
    const onWarning = (text: string): void => this.logger.withName("KubeAPIWarningLogger").info(text);
    const { cache: cachedClientOptions, ...defaults } = options.client ?? {};
    const live = createClient({ transport, onWarning, ...defaults });
    this.apiReader = live;
    this.cache = new Cache(live, this.logger.withName("cache"), options.cache, this.clock);
    this.client = cachedClient(live, this.cache, cachedClientOptions);
    this.events = new EventBroadcaster(live, this.logger.withName("events"), this.clock);
    this.elected = new Promise((resolve) => {
      this.becomeLeader = resolve;
    });
    this.failed = new Promise((_resolve, reject) => {
      this.fail = reject;
    });
    // It is awaited only between start and stop; a failure outside of that is logged.
    this.failed.catch(() => undefined);
    const group = (name: string): RunnableGroup => new RunnableGroup(name, (error) => this.runnableFailed(error));
    this.servers = group("HTTP servers");
    this.caches = group("caches");
    this.others = group("others");
    this.leaders = group("leader election");
    this.caches.add(this.cache);
    this.others.add(this.events);
  }

  add(runnable: Runnable | ((signal: AbortSignal) => Promise<void>)): void {
    if (this.state === "stopping") throw new TsopError("TSOP_MANAGER_STOPPED", {});
    const thing = typeof runnable === "function" ? { start: runnable } : runnable;
    if (thing.needLeaderElection === false) this.others.add(thing);
    else this.leaders.add(thing);
  }

  indexField<T extends KubeObject>(kind: Kind<T>, field: string, valuesOf: IndexFunction<T>): void {
    this.cache.indexField(kind, field, valuesOf);
  }

  eventRecorder(name: string): EventRecorder {
    return this.events.recorder(name);
  }

  addHealthzCheck(name: string, check: HealthCheck): void {
    this.mustBeNew("a health check was added");
    this.healthz.add(name, check);
  }

  addReadyzCheck(name: string, check: HealthCheck): void {
    this.mustBeNew("a readiness check was added");
    this.readyz.add(name, check);
  }

  async start(signal: AbortSignal): Promise<void> {
    this.mustBeNew("start was called");
    this.state = "running";
    try {
      await Promise.race([this.run(signal), this.failed]);
    } finally {
      await this.stop();
    }
  }

  private async run(signal: AbortSignal): Promise<void> {
    await this.startServers();
    this.caches.start();
    await this.cache.waitForSync(signal);
    this.others.start();
    this.becomeLeader();
    this.leaders.start();
    await untilAborted(signal);
  }

  private async startServers(): Promise<void> {
    const { healthProbeBindAddress: probes, metrics: metricsOptions } = this.options;
    if (!isOff(probes) && !(this.healthz.isEmpty && this.readyz.isEmpty)) {
      const server = new HealthServer(probes!, this.healthz, this.readyz);
      await server.listen();
      this.servers.add(server);
    }
    if (this.metrics) {
      const bindAddress = metricsOptions!.bindAddress!;
      const server = new MetricsServer({ ...metricsOptions, bindAddress }, this.metrics);
      const { port } = await server.listen();
      this.servers.add(server);
      this.logger.withName("metrics").info("Serving metrics server", { bindAddress, port, secure: false });
    }
    this.servers.start();
  }

  /** Reconcilers end before the cache they read from, and the probes answer until the end. */
  private async stop(): Promise<void> {
    this.state = "stopping";
    this.logger.info("Stopping and waiting for all runnables");
    const grace = this.options.gracefulShutdownTimeout ?? defaultGraceMs;
    const settled = new AbortController();
    const stopping = this.stopGroups().finally(() => settled.abort());
    if (grace < 0) await stopping;
    else await Promise.race([stopping, wait(this.clock, grace, settled.signal)]);
    if (!settled.signal.aborted && grace > 0) {
      const error = new TsopError("TSOP_SHUTDOWN_TIMEOUT", { seconds: grace / 1000, names: this.stillRunning() });
      this.logger.error(error, "Not everything stopped in time");
    }
    this.transport.close();
  }

  private async stopGroups(): Promise<void> {
    for (const group of [this.others, this.leaders, this.caches, this.servers]) await group.stop();
  }

  private stillRunning(): string {
    const groups = [this.others, this.leaders, this.caches, this.servers];
    return groups
      .filter((group) => group.isRunning)
      .map(({ name }) => name)
      .join(", ");
  }

  private runnableFailed(error: unknown): void {
    if (this.state === "stopping") this.logger.error(error, "A runnable failed while stopping");
    else this.fail(error);
  }

  private mustBeNew(what: string): void {
    if (this.state !== "new") throw new TsopError("TSOP_MANAGER_STARTED", { what });
  }
}
