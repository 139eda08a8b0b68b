import type { RequestListener } from "node:http";
import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Client, Reader } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import type { Cache, CacheOptions } from "../cache/cache.ts";
import type { IndexFunction } from "../cache/store.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { ClusterOptions } from "./cluster.ts";
import type { CoreEventRecorder } from "../event-recorder/core-event-recorder.ts";
import type { EventRecorder } from "../event-recorder/event-recorder.ts";
import type { HealthCheck } from "../servers/health.ts";
import type { LeaderElectionOptions } from "../leader-election/leader-election-options.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { MetricsOptions } from "../servers/metrics-server.ts";
import type { Runnable } from "../runnable.ts";
import type { WebhookOptions, WebhookServer } from "../webhook/webhook-server.ts";

/** Holds what the controllers of a program share, and starts and stops all of it in order. */
export interface Manager {
  readonly config: ClientConfig;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** Reads from the server. */
  readonly apiReader: Reader;
  readonly cache: Cache;
  readonly logger: Logger;
  readonly options: ManagerOptions;
  /** Present when the metrics server is on. */
  readonly metrics: Metrics | undefined;
  /** Made when it is first asked for, and started with the manager. */
  readonly webhookServer: WebhookServer;
  /** Resolves when this process leads; at once without leader election. */
  readonly elected: Promise<void>;
  /** A function runs on the leader only, as a runnable does that doesn't say otherwise. */
  add(runnable: Runnable | ((signal: AbortSignal) => Promise<void>)): void;
  /** Lets cached lists find objects by a field: `client.list(kind, { fields: { [field]: value } })`. */
  indexField<T extends KubeObject>(kind: Kind<T>, field: string, valuesOf: IndexFunction<T>): void;
  /** Events of events.k8s.io/v1; `name` is who reports them. */
  eventRecorder(name: string): EventRecorder;
  /** The same of the older core/v1 API, for who reads those. */
  eventRecorderFor(name: string): CoreEventRecorder;
  /** Without a check of its own, the answer itself is the sign of life. */
  addHealthzCheck(name: string, check?: HealthCheck): void;
  addReadyzCheck(name: string, check?: HealthCheck): void;
  /** Another path on the metrics server, behind the same filter; before the start. */
  addMetricsServerExtraHandler(path: string, handler: RequestListener): void;
  /**
   * Runs until the signal aborts, then stops everything in order and resolves. Rejects with the error of the first
   * runnable that fails; the process should end then, with a code other than 0.
   */
  start(signal: AbortSignal): Promise<void>;
}

/** All that a manager can be told; nothing of it is needed. */
export interface ManagerOptions {
  readonly logger?: Logger | undefined;
  readonly cache?: CacheOptions | undefined;
  /** Defaults of the client's calls; the server's warnings are logged unless `onWarning` does something else with them. */
  readonly client?: ClusterOptions["client"];
  readonly controller?: ControllerDefaults | undefined;
  readonly leaderElection?: LeaderElectionOptions | undefined;
  readonly metrics?: MetricsOptions | undefined;
  readonly webhook?: WebhookOptions | undefined;
  /** `:8081`; off if absent or `0`. */
  readonly healthProbeBindAddress?: string | undefined;
  /** `/healthz`. */
  readonly livenessEndpointName?: string | undefined;
  /** `/readyz`. */
  readonly readinessEndpointName?: string | undefined;
  /** Serves heap snapshots and CPU profiles under `/debug/pprof/`, to whoever asks; off if absent or `0`. */
  readonly pprofBindAddress?: string | undefined;
  /** How long runnables may take to stop; 30 seconds. 0 doesn't wait, negative waits for ever. */
  readonly gracefulShutdownTimeout?: number;
  readonly userAgent?: string;
  readonly clock?: Clock;
}

/** Defaults for the controllers of a manager; each may have its own. */
export interface ControllerDefaults {
  readonly maxConcurrentReconciles?: number | undefined;
  /** By `Kind.group`, or `Kind` for the core group. */
  readonly groupKindConcurrency?: Readonly<Record<string, number>>;
  readonly cacheSyncTimeout?: number | undefined;
  readonly reconciliationTimeout?: number | undefined;
  readonly needLeaderElection?: boolean | undefined;
  /** Fills cache and queue while another replica leads; false. */
  readonly enableWarmup?: boolean | undefined;
  readonly skipNameValidation?: boolean | undefined;
  /** What controllers log with; the manager's. */
  readonly logger?: Logger | undefined;
  /** Whether a slip of a reconciler, such as a TypeError, is an error like any other, or ends the manager; true. */
  readonly recoverPanic?: boolean | undefined;
  /** False takes client-go's older queue: first come, first served, and all retries together at most 10 a second; true. */
  readonly usePriorityQueue?: boolean | undefined;
}
