import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Bytes, KubeObject, Named } from "../../apimachinery/meta.ts";
import type { readSecretConfig } from "../../client/config/read-configs.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { CacheOptions } from "../cache/cache.ts";
import { linkAbort } from "../linked-abort.ts";
import { createCluster, type Cluster, type ClusterOptions } from "../manager/cluster.ts";
import type { Manager } from "../manager/manager.ts";
import type { ClusterProvider, FleetChange } from "./cluster-provider.ts";
import { Roster, type Listing } from "./roster.ts";

/** A Secret with a kubeconfig. */
export interface Secret extends KubeObject {
  data?: Record<string, Bytes>;
}

export const Secret: Kind<Secret> = defineKind<Secret>({ group: "", version: "v1", kind: "Secret", plural: "secrets" });

/** Options of `kubeconfigSecrets`. */
export interface KubeconfigSecretsOptions {
  /** All namespaces by default; the names of clusters then contain their namespace: `<namespace>/<name>`. */
  readonly namespace?: string;
  /**
   * The label that the Secrets have, with the value `true`; the default is the label of multicluster-runtime,
   * `sigs.k8s.io/multicluster-runtime-kubeconfig`.
   */
  readonly label?: string;
  /** The key of the kubeconfig within a Secret; the default is `kubeconfig`. */
  readonly key?: string;
}

const clusterApiLabel = "cluster.x-k8s.io/cluster-name";

/**
 * Finds clusters in Secrets of the manager's cluster that have a label; a cluster is named after its Secret. The
 * operator needs permission to get, list and watch Secrets there. A kubeconfig in a Secret may not name programs or
 * files.
 *
 * @example
 * const fleet = createFleet(mgr, kubeconfigSecrets(mgr, { namespace: "clusters" }));
 */
export function kubeconfigSecrets(hub: Manager, options: KubeconfigSecretsOptions = {}): ClusterProvider {
  const { namespace, label = "sigs.k8s.io/multicluster-runtime-kubeconfig", key = "kubeconfig" } = options;
  return secretsProvider(hub, { namespace, labels: `${label}=true`, key, nameOf: ({ metadata }) => metadata.name });
}

/**
 * Finds the clusters of Cluster API by the Secrets `<cluster>-kubeconfig` that it writes for each Cluster.
 *
 * @example
 * const fleet = createFleet(mgr, clusterApiSecrets(mgr, { namespace: "workloads" }));
 */
export function clusterApiSecrets(
  hub: Manager,
  { namespace }: Pick<KubeconfigSecretsOptions, "namespace"> = {},
): ClusterProvider {
  const nameOf = ({ metadata }: Named<Secret>): string | undefined => {
    const cluster = metadata.labels?.[clusterApiLabel];
    // Its certificates have the label, too.
    return metadata.name === `${cluster}-kubeconfig` ? cluster : undefined;
  };
  return secretsProvider(hub, { namespace, labels: clusterApiLabel, key: "value", nameOf });
}

interface SecretsOptions {
  readonly namespace: string | undefined;
  readonly labels: string;
  readonly key: string;
  /** Returns the name of the Secret's cluster, if it has one. */
  readonly nameOf: (secret: Named<Secret>) => string | undefined;
}

function secretsProvider(hub: Manager, { namespace, labels, key, nameOf }: SecretsOptions): ClusterProvider {
  return {
    watch: (stopped) =>
      watchHub(hub, { ...inNamespace(namespace), labels }, stopped, async ({ cache }, tell, signal) => {
        const parse = await secretParser();
        const roster = new Roster();
        const update = (secret: Named<Secret>, gone: boolean): void => {
          const name = nameOf(secret);
          if (name === undefined) return;
          const cluster = namespace ? name : `${secret.metadata.namespace}/${name}`;
          tell(...roster.update(describe(secret), gone ? undefined : listingOf(secret, { key, cluster, parse })));
        };
        const secrets = cache.informer(Secret);
        await secrets.addHandler({
          add: (secret) => update(secret, false),
          update: (_old, secret) => update(secret, false),
          delete: (secret) => update(secret, true),
        });
        if (await secrets.waitForSync(signal)) tell({ type: "listed" });
      }),
  };
}

/** Watches objects of the hub with a cache of their own, so that the manager's does not hold other Secrets. */
export async function* watchHub(
  hub: Manager,
  selection: CacheOptions,
  stopped: AbortSignal,
  follow: (hub: Cluster, tell: (...changes: FleetChange[]) => void, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<FleetChange> {
  const { clock } = hub.options;
  const options: ClusterOptions = { cache: selection, logger: hub.logger.withName("fleet"), ...(clock && { clock }) };
  const cluster = createCluster(hub.config, options);
  const feed = new ChangeFeed();
  const watching = linkAbort(stopped);
  const { signal } = watching;
  const running = cluster.start(signal);
  const following = follow(cluster, (...changes) => feed.push(...changes), signal);
  try {
    yield* feed.read(signal);
  } finally {
    watching.abort();
    await Promise.all([running, following]);
  }
}

/** Restricts a cache to a namespace, if there is one. */
export function inNamespace(namespace: string | undefined): CacheOptions {
  return namespace ? { namespaces: [namespace] } : {};
}

/** Loads the parser: few operators have a fleet. */
export async function secretParser(): Promise<typeof readSecretConfig> {
  return (await import("../../client/config/read-configs.ts")).readSecretConfig;
}

/** Reads the kubeconfig of a Secret as the configuration of a cluster. */
export function listingOf(
  secret: Named<Secret>,
  { key, cluster, parse }: { key: string; cluster: string; parse: typeof readSecretConfig },
): Listing {
  try {
    const data = secret.data?.[key];
    if (!data) throw new TsopError("TSOP_FLEET_SECRET_KEY", { secret: describe(secret), key });
    const text = Buffer.from(data, "base64").toString("utf8");
    return { clusters: new Map([[cluster, parse(text, describe(secret))]]) };
  } catch (error) {
    return { error };
  }
}

function describe({ metadata }: Named<Secret>): string {
  return `Secret ${metadata.namespace}/${metadata.name}`;
}

/** Turns calls into an iterable. */
export class ChangeFeed {
  private readonly waiting: FleetChange[] = [];
  private wake = (): void => undefined;

  push(...changes: readonly FleetChange[]): void {
    this.waiting.push(...changes);
    this.wake();
  }

  /** Ends when the signal aborts. */
  async *read(signal: AbortSignal): AsyncGenerator<FleetChange> {
    const stop = (): void => this.wake();
    signal.addEventListener("abort", stop, { once: true });
    while (!signal.aborted) {
      yield* this.waiting.splice(0);
      if (this.waiting.length > 0 || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
