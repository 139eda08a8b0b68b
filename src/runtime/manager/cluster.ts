import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Client, Reader } from "../../client/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { createClient, type ClientDefaults } from "../../client/create-client.ts";
import { HttpTransport } from "../../client/transport/http-transport.ts";
import type { Transport } from "../../client/transport.ts";
import { Cache, type CacheOptions } from "../cache/cache.ts";
import type { IndexFunction } from "../cache/object-store.ts";
import { cachedClient, type CachedClientOptions } from "./cached-client.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { monotonicClock } from "../monotonic-clock.ts";
import { discardLogger, type Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Runnable } from "../runnable.ts";
import type { Shard } from "../sharding/shard.ts";
import type { Turns } from "../turns.ts";

/** Options of the access to a cluster. */
export interface ClusterOptions {
  readonly cache?: CacheOptions | undefined;
  /** Defaults of the client's calls; the server's warnings are logged unless `onWarning` is set. */
  readonly client?: (ClientDefaults & { readonly cache?: Pick<CachedClientOptions, "disableFor"> }) | undefined;
  readonly logger?: Logger | undefined;
  readonly userAgent?: string;
  /** The time of delays and backoff, and of a manager's leader election; tests pass a `manualClock()`. */
  readonly clock?: Clock;
}

/** The access to a cluster, and the cache of its objects. */
export interface ClusterAccess {
  readonly config: ClientConfig;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** Reads from the server. */
  readonly apiReader: Reader;
  readonly cache: Cache;
  /** Makes cached lists find objects by a field: `client.list(kind, { fields: { [field]: value } })`. */
  indexField<T extends KubeObject>(kind: Kind<T>, field: string, valuesOf: IndexFunction<T>): void;
}

/** A cluster in addition to the manager's own, with a cache of its own. */
export interface Cluster extends ClusterAccess, Runnable {}

/**
 * Creates access to a further cluster, for controllers that read from more than one. Added to a manager, it starts
 * before all controllers.
 *
 * @example
 * const remote = createCluster(await loadConfig({ context: "remote" }), { logger: mgr.logger });
 * mgr.add(remote);
 * const source = kindSource({ cache: remote.cache, kind: ConfigMap, handler: enqueueForObject() });
 * controllerManagedBy(mgr).for(Memcached).watchesSource(source);
 */
export function createCluster(config: ClientConfig, options: ClusterOptions = {}): Cluster {
  const { logger = discardLogger, clock = monotonicClock, userAgent = "tsop" } = options;
  const transport = new HttpTransport(config, { userAgent });
  const { live, cache, client } = cachedAccess(transport, { ...options, logger, clock });
  return {
    config,
    client,
    apiReader: live,
    cache,
    needLeaderElection: false,
    indexField: (kind, field, valuesOf) => cache.indexField(kind, field, valuesOf),
    waitForSync: (signal) => cache.waitForSync(signal),
    async start(signal) {
      await cache.start(signal);
      transport.close();
    },
  };
}

/** Creates a live client, a cache that it fills, and a client that reads from the cache. */
export function cachedAccess(
  transport: Transport,
  options: Pick<ClusterOptions, "cache" | "client"> & {
    readonly logger: Logger;
    readonly clock: Clock;
    readonly metrics?: Metrics | undefined;
    readonly shard?: Shard | undefined;
    readonly turns?: Turns | undefined;
  },
): { live: Client; cache: Cache; client: Client } {
  const { logger, clock, metrics, shard, turns } = options;
  const { cache: cachedClientOptions, ...defaults } = options.client ?? {};
  const onWarning = (text: string): void => logger.withName("KubeAPIWarningLogger").info(text);
  const live = createClient({ transport, onWarning, ...defaults });
  const observe = metrics && ((kind: string) => metrics.watches(kind));
  const labelsOf = shard && ((kind: Kind) => shard.selectorOf(kind));
  const cacheOptions = { freezeShared: isDevelopment(), observe, turns, ...options.cache, labelsOf };
  const cache = new Cache(live, logger.withName("cache"), cacheOptions, clock);
  return { live, cache, client: cachedClient(live, cache, { ...cachedClientOptions, dryRun: defaults.dryRun }) };
}

/** Reports whether mistakes are to fail loudly, at the cost of speed. */
function isDevelopment(): boolean {
  const { NODE_ENV } = process.env;
  return NODE_ENV === "development" || NODE_ENV === "test";
}
