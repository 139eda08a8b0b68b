import type { RequestListener } from "node:http";
import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Client, Reader } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { isSimulated } from "../../client/connections/open-pool.ts";
import { createClient } from "../../client/create-client.ts";
import { HttpTransport } from "../../client/transport/http-transport.ts";
import type { Transport } from "../../client/transport.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Cache } from "../cache/cache.ts";
import type { IndexFunction } from "../cache/object-store.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { monotonicClock } from "../monotonic-clock.ts";
import { cachedAccess } from "./cluster.ts";
import type { CoreEventRecorder } from "../event-recorder/core-event-recorder.ts";
import { EventBroadcaster, type AnnotatedEventRecorder } from "../event-recorder/event-recorder.ts";
import { healthServer, HealthChecks, ping, type HealthCheck } from "../servers/health.ts";
import { isOff } from "../servers/http-server.ts";
import { HeldLease, managerElector, shardElector, type ElectorParts } from "./manager-elector.ts";
import type { Logger } from "../log/logger.ts";
import { zapLogger } from "../log/zap-logger.ts";
import type { Manager, ManagerOptions } from "./manager.ts";
import { MetricsServer } from "../servers/metrics-server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { WorkObserver } from "../controller/work-observer.ts";
import { linkAbort } from "../linked-abort.ts";
import type { WorkReport } from "../report/report-work.ts";
import { processMetrics } from "../metrics/prometheus-metrics.ts";
import { ProfileServer } from "../servers/profile-server.ts";
import { RunnableGroups } from "./runnable-groups.ts";
import { openShard, type Shard } from "../sharding/shard.ts";
import { Turns } from "../turns.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";
import { StallMonitor } from "./stall-monitor.ts";
import { WebhookServer } from "../webhook/webhook-server.ts";
import { WriteFence } from "./write-fence.ts";

/**
 * Creates a manager for a cluster. Nothing runs before `start`, and nothing is read but the ControllerRing of
 * a shard.
 *
 * @example
 * const manager = await createManager(await loadConfig(), {
 *   leaderElection: { enabled: true, id: "memcached.example.com" },
 *   healthProbeBindAddress: ":8081",
 * });
 * manager.addReadyzCheck("readyz");
 * await manager.start(setupSignalHandler());
 */
export async function createManager(config: ClientConfig, options: ManagerOptions = {}): Promise<Manager> {
  const metrics = isOff(options.metrics?.bindAddress) ? undefined : processMetrics();
  return new RealManager(config, options, {
    metrics,
    report: await openReport(),
    shard: await joinRing(config, options),
  });
}

async function joinRing(
  config: ClientConfig,
  { sharding, userAgent = "tsop" }: ManagerOptions,
): Promise<Shard | undefined> {
  if (!sharding?.ring) return undefined;
  const transport = new HttpTransport(config, { userAgent });
  try {
    return await openShard(createClient({ transport }), sharding);
  } finally {
    transport.close();
  }
}

/**
 * Opens the report of `tsop run --local --ui`. Elsewhere nothing of it is loaded: a program that the operator starts
 * inherits the variable, but not the pipe.
 */
async function openReport(): Promise<WorkReport | undefined> {
  const [descriptor, parent] = (process.env["TSOP_REPORT_FD"] ?? "").split("@");
  if (!descriptor || Number(parent) !== process.ppid) return undefined;
  return (await import("../report/report-work.ts")).openReport(Number(descriptor));
}

const defaultGraceMs = 30_000;
const lostCodes: ReadonlySet<string> = new Set(["TSOP_LEADERSHIP_LOST", "TSOP_SHARD_LOST"]);

interface Parts {
  readonly shard: Shard | undefined;
  readonly metrics: Metrics | undefined;
  readonly report: WorkReport | undefined;
}

class RealManager implements Manager {
  readonly config: ClientConfig;
  readonly client: Client;
  readonly apiReader: Reader;
  readonly cache: Cache;
  readonly logger: Logger;
  readonly options: ManagerOptions;
  readonly metrics: Metrics | undefined;
  readonly observer: WorkObserver | undefined;
  readonly sharding: Shard | undefined;
  readonly elected: Promise<void>;
  readonly turns: Turns = new Turns();
  readonly fence: (transport: Transport) => Transport;
  /** For requests that do not require leadership: events and access reviews. */
  private readonly pool: Transport;
  private readonly clock: Clock;
  private readonly events: EventBroadcaster;
  private readonly leaderLease: HeldLease;
  private readonly shardLease: HeldLease;
  private readonly healthz: HealthChecks;
  private readonly readyz: HealthChecks;
  private readonly groups: RunnableGroups;
  private readonly extraHandlers = new Map<string, RequestListener>();
  private readonly failed: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;
  private webhooks: WebhookServer | undefined;
  private becomeLeader: () => void = () => undefined;
  private state: "new" | "running" | "stopping" = "new";

  constructor(config: ClientConfig, options: ManagerOptions, { metrics, report, shard }: Parts) {
    this.config = config;
    this.options = options;
    this.metrics = metrics;
    this.observer = report;
    this.sharding = shard;
    this.clock = options.clock ?? monotonicClock;
    this.logger = options.logger ?? zapLogger();
    const healthLog = this.logger.withName("healthz");
    this.healthz = new HealthChecks("healthz", healthLog, options.livenessEndpointName);
    this.readyz = new HealthChecks("readyz", healthLog, options.readinessEndpointName);
    this.elected = new Promise((resolve) => {
      this.becomeLeader = resolve;
    });
    this.failed = new Promise((_resolve, reject) => {
      this.fail = reject;
    });
    // It is awaited only between start and stop; other failures are logged.
    this.failed.catch(() => undefined);

    const userAgent = options.userAgent ?? "tsop";
    const recorder: ElectorParts["recorder"] = (identity) => this.events.coreRecorder(identity);
    const writes = new WriteFence(() => [this.leaderLease, this.shardLease].forEach((lease) => lease.assertHeld()));
    const settled = (): Promise<void> => writes.settled();
    const electorParts = { log: this.logger, clock: this.clock, metrics, userAgent, recorder, settled };
    this.leaderLease = new HeldLease(managerElector(config, options.leaderElection, electorParts));
    this.shardLease = new HeldLease(shardElector(config, shard, electorParts));
    this.pool = new HttpTransport(config, {
      userAgent,
      observer: metrics?.requests(options.metrics?.restClient ?? false),
      headers: report && (() => report.headers()),
    });
    const needsLease = this.leaderLease.isNeeded || this.shardLease.isNeeded;
    this.fence = (transport) => (needsLease ? writes.around(transport) : transport);
    const access = cachedAccess(this.fence(this.pool), {
      ...options,
      logger: this.logger,
      clock: this.clock,
      metrics,
      shard,
      turns: this.turns,
    });
    this.apiReader = access.live;
    this.cache = access.cache;
    this.client = access.client;
    this.events = new EventBroadcaster(
      createClient({ transport: this.pool }),
      this.logger.withName("events"),
      this.clock,
    );

    this.groups = new RunnableGroups((error) => this.runnableFailed(error), this.logger);
    this.groups.add(this.cache);
    const onStall = (seconds: number): void => metrics?.stalled(seconds);
    if (!isSimulated()) this.groups.others.add(new StallMonitor({ clock: monotonicClock, log: this.logger, onStall }));
    this.groups.last.add(this.events);
  }

  get webhookServer(): WebhookServer {
    if (!this.webhooks) {
      const { options, metrics } = this;
      const clock = this.clock;
      this.webhooks = new WebhookServer(options.webhook ?? {}, {
        log: this.logger.withName("webhook"),
        clock,
        metrics,
        cluster: { client: createClient({ transport: this.pool }), namespace: this.config.namespace },
        trusted: this.config.webhookCertificate,
      });
      this.groups.webhooks.add(this.webhooks);
    }
    return this.webhooks;
  }

  add(runnable: Runnable | ((signal: AbortSignal) => Promise<void>)): void {
    if (this.state === "stopping") throw new TsopError("TSOP_MANAGER_STOPPED", {});
    this.groups.add(runnable);
    if (this.state === "running") this.assertElects();
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

  addHealthzCheck(name: string, check: HealthCheck = ping): void {
    this.mustBeNew("a health check was added");
    this.healthz.add(name, check);
  }

  addReadyzCheck(name: string, check: HealthCheck = ping): void {
    this.mustBeNew("a readiness check was added");
    this.readyz.add(name, check);
  }

  addMetricsServerExtraHandler(path: string, handler: RequestListener): void {
    this.mustBeNew("a handler was added to the metrics server");
    const given = this.options.metrics?.extraHandlers ?? {};
    if (path === "/metrics" || this.extraHandlers.has(path) || Object.hasOwn(given, path)) {
      throw new TsopError("TSOP_METRICS_PATH_TAKEN", { path });
    }
    this.extraHandlers.set(path, handler);
  }

  async start(signal: AbortSignal): Promise<void> {
    this.mustBeNew("start was called");
    this.assertElects();
    this.state = "running";
    const running = linkAbort(signal);
    const failure = await Promise.race([this.run(running.signal), this.failed]).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // After a failure nothing may continue in the background, especially not the wait for the lease.
    running.abort();
    const lost = failure?.error instanceof TsopError && lostCodes.has(failure.error.code);
    // Another replica may already work on the same objects, so there is no time for a graceful end.
    const late = await this.stop(lost ? 0 : (this.options.gracefulShutdownTimeout ?? defaultGraceMs));
    if (failure) throw failure.error;
    if (late) throw late;
  }

  private async run(signal: AbortSignal): Promise<void> {
    const groups = this.groups;
    await this.startServers();
    groups.last.start();
    groups.webhooks.start();
    groups.caches.start();
    if (!(await groups.startReaders(signal))) return;
    const fail = (error: unknown): void => this.runnableFailed(error);
    if (this.sharding) {
      const { ring, name: shard } = this.sharding;
      this.logger.info("Working as a shard", { ring, shard });
    }
    const lead = (): void => {
      this.becomeLeader();
      groups.leaders.start();
    };
    await Promise.all([
      this.shardLease.acquire(signal, () => groups.shards.start(), fail),
      this.leaderLease.acquire(signal, lead, fail),
    ]);
    await untilAborted(signal);
  }

  /** Throws if every shard would do the work of a single replica. */
  private assertElects(): void {
    const { sharding, leaderLease, groups } = this;
    if (!sharding || leaderLease.isNeeded || groups.leaders.isEmpty) return;
    throw new TsopError("TSOP_SHARD_WITHOUT_LEADER", { ring: sharding.ring });
  }

  private async startServers(): Promise<void> {
    const { healthProbeBindAddress: probes, pprofBindAddress: pprof, metrics: metricsOptions } = this.options;
    // Each runs as soon as it listens, so that it is closed even if the port of the next one is taken.
    this.groups.servers.start();
    if (!isOff(probes) && !(this.healthz.isEmpty && this.readyz.isEmpty)) {
      const server = healthServer(probes!, this.logger, [this.healthz, this.readyz]);
      await server.listen();
      this.groups.servers.add(server);
    }
    if (this.metrics) {
      const log = this.logger.withName("metrics");
      const client = createClient({ transport: this.pool });
      const extraHandlers = { ...metricsOptions?.extraHandlers, ...Object.fromEntries(this.extraHandlers) };
      const server = new MetricsServer(
        { ...metricsOptions, extraHandlers },
        { metrics: this.metrics, log, clock: this.clock, client },
      );
      await server.listen();
      this.groups.servers.add(server);
    }
    if (!isOff(pprof)) {
      const server = new ProfileServer(pprof!, { log: this.logger.withName("pprof"), clock: this.clock });
      await server.listen();
      this.groups.servers.add(server);
    }
    await this.webhooks?.listen();
  }

  private async stop(graceMs: number): Promise<TsopError | undefined> {
    this.state = "stopping";
    // The lease is released last, after all writes of this process.
    const late = await this.groups.stop(graceMs, this.clock, async () => {
      await Promise.all([this.leaderLease.release(), this.shardLease.release()]);
    });
    this.pool.close();
    this.logger.info("Wait completed, proceeding to shutdown the manager");
    return late;
  }

  private runnableFailed(error: unknown): void {
    if (this.state === "stopping") this.logger.error(error, "A runnable failed while stopping");
    else this.fail(error);
  }

  private mustBeNew(what: string): void {
    if (this.state !== "new") throw new TsopError("TSOP_MANAGER_STARTED", { what });
  }
}
