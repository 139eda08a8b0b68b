import type { RequestListener } from "node:http";
import type { Transport } from "../../client/transport.ts";
import type { ClusterAccess, ClusterOptions } from "./cluster.ts";
import type { CoreEventRecorder } from "../event-recorder/core-event-recorder.ts";
import type { AnnotatedEventRecorder } from "../event-recorder/event-recorder.ts";
import type { HealthCheck } from "../servers/health.ts";
import type { LeaderElectionOptions } from "../leader-election/leader-election-options.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { MetricsOptions } from "../servers/metrics-server.ts";
import type { Reconciler } from "../controller/reconciler.ts";
import type { WorkObserver } from "../controller/work-observer.ts";
import type { Runnable } from "../runnable.ts";
import type { Shard } from "../sharding/shard.ts";
import type { Turns } from "../turns.ts";
import type { ShardingOptions } from "../sharding/sharding-options.ts";
import type { WebhookOptions, WebhookServer } from "../webhook/webhook-server.ts";

/** Holds the shared parts of a program's controllers, and starts and stops them in order. */
export interface Manager extends ClusterAccess {
  readonly logger: Logger;
  readonly options: ManagerOptions;
  /** Present if the metrics server is enabled. */
  readonly metrics: Metrics | undefined;
  /** @internal Present under `tsop run --local --ui`. */
  readonly observer?: WorkObserver | undefined;
  /** This process as a shard, if it is one: the name of its ring and its own. */
  readonly sharding?: Shard | undefined;
  /** @internal The time of loops over many objects. */
  readonly turns?: Turns | undefined;
  /** @internal Returns a transport that rejects writes once this manager does not hold its leases. */
  readonly fence?: (transport: Transport) => Transport;
  /** @internal Returns the reconciler that a controller of this manager calls instead of its own. */
  readonly around?: <R>(reconciler: Reconciler<R>, controller: ControllerOfRequests<R>) => Reconciler<R>;
  /** Created on first use, and started with the manager. */
  readonly webhookServer: WebhookServer;
  /** Resolves when this process leads; at once without leader election. */
  readonly elected: Promise<void>;
  /** Adds a runnable. A function runs on the leader only, which is also the default of runnables. */
  add(runnable: Runnable | ((signal: AbortSignal) => Promise<void>)): void;
  /** Creates a recorder for events of events.k8s.io/v1; `name` is the reporting controller. */
  eventRecorder(name: string): AnnotatedEventRecorder;
  /** Creates a recorder for events of the older core/v1 API. */
  eventRecorderFor(name: string): CoreEventRecorder;
  /** Adds a liveness check. Without a function, any response means health. */
  addHealthzCheck(name: string, check?: HealthCheck): void;
  addReadyzCheck(name: string, check?: HealthCheck): void;
  /** Adds a path to the metrics server, behind its filter; before the start. */
  addMetricsServerExtraHandler(path: string, handler: RequestListener): void;
  /**
   * Runs until the signal aborts, then stops everything in order and resolves. Rejects with the error of the first
   * runnable that fails; the process should then exit with a code other than 0.
   */
  start(signal: AbortSignal): Promise<void>;
}

/** @internal The controller of a reconciler: its name, and its queue. */
export interface ControllerOfRequests<R> {
  readonly name: string;
  readonly keyOf: (request: R) => string;
  readonly add: (request: R) => void;
}

/** The options of a manager, all of them optional. */
export interface ManagerOptions extends ClusterOptions {
  readonly controller?: ControllerDefaults | undefined;
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /**
   * Makes this process one of several that share the objects of a ControllerRing. Its controllers of other kinds, and
   * other runnables, still need leader election, unless they are to run on every replica.
   */
  readonly sharding?: ShardingOptions | undefined;
  readonly metrics?: MetricsOptions | undefined;
  readonly webhook?: WebhookOptions | undefined;
  /** For example `:8081`; disabled if absent or `0`. */
  readonly healthProbeBindAddress?: string | undefined;
  /** The default is `/healthz`. */
  readonly livenessEndpointName?: string | undefined;
  /** The default is `/readyz`. */
  readonly readinessEndpointName?: string | undefined;
  /**
   * Serves heap snapshots and CPU profiles under `/debug/pprof/`, without authentication; disabled if absent or `0`.
   */
  readonly pprofBindAddress?: string | undefined;
  /**
   * The milliseconds that runnables have to stop; the default is 30,000. 0 does not wait, a negative time waits for ever.
   */
  readonly gracefulShutdownTimeout?: number;
}

/** Defaults of a manager's controllers. */
export interface ControllerDefaults {
  /** The default is 1. */
  readonly maxConcurrentReconciles?: number | undefined;
  /** By `Kind.group`, or `Kind` for the core group. */
  readonly groupKindConcurrency?: Readonly<Record<string, number>>;
  /** Milliseconds for a watch to deliver its initial state before the manager fails; the default is two minutes. */
  readonly cacheSyncTimeout?: number | undefined;
  /** Milliseconds after which the signal of a reconcile aborts; without a limit by default. */
  readonly reconciliationTimeout?: number | undefined;
  /** False lets every replica reconcile; the default is true. */
  readonly needLeaderElection?: boolean | undefined;
  /** Fills cache and queue while another replica leads; the default is false. */
  readonly enableWarmup?: boolean | undefined;
  /** Lets two controllers share a name and its metrics; the default is false. */
  readonly skipNameValidation?: boolean | undefined;
  /** The logger of controllers; the default is the manager's. */
  readonly logger?: Logger | undefined;
  /**
   * True (the default) if an unexpected error of a reconciler, such as a TypeError, is handled like any other. False
   * lets it end the manager.
   */
  readonly recoverPanic?: boolean | undefined;
}
