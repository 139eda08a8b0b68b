import type { Named } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Informer } from "../cache/informer.ts";
import type { Manager } from "../manager/manager.ts";
import { isConditionTrue } from "../../apimachinery/conditions.ts";
import { ClusterProfile } from "./cluster-profile.ts";
import type { ClusterProvider } from "./cluster-provider.ts";
import { inNamespace, listingOf, Secret, secretParser, watchHub } from "./kubeconfig-secrets.ts";
import { Roster, type Listing } from "./roster.ts";

/** Options of `clusterProfiles`: `providerFile`, `consumer` or both. */
export interface ClusterProfilesOptions {
  /**
   * The file of the access providers that this operator has, as JSON, like `--clusterprofile-provider-file` of programs
   * in Go: a name and the program that prints credentials for each. It is read when the fleet starts.
   */
  readonly providerFile?: string;
  /** The name of this operator in the label `x-k8s.io/cluster-inventory-consumer` of its Secrets. */
  readonly consumer?: string;
  /** All namespaces by default; the names of clusters then contain their namespace: `<namespace>/<name>`. */
  readonly namespace?: string;
}

const consumerLabel = "x-k8s.io/cluster-inventory-consumer";
const profileLabel = "x-k8s.io/cluster-profile";

/**
 * Finds the clusters of a cluster inventory: the ClusterProfiles (multicluster.x-k8s.io/v1alpha1) of the manager's
 * cluster. A cluster joins once its condition ControlPlaneHealthy is true and there is access to it: an access provider
 * of its status that `providerFile` has as well, or else a kubeconfig under the key `Config` of the one Secret in its
 * namespace that is labeled with this consumer and the profile. It leaves with its ClusterProfile or its Secret.
 *
 * @example
 * const profiles = clusterProfiles(mgr, { providerFile: "/etc/operator/providers.json", namespace: "fleet" });
 * const fleet = createFleet(mgr, profiles);
 */
export function clusterProfiles(hub: Manager, options: ClusterProfilesOptions): ClusterProvider {
  const { providerFile, consumer, namespace } = options;
  if (!providerFile && !consumer) throw new TsopError("TSOP_FLEET_PROFILE_OPTIONS", {});
  const byKind = [[Secret, { labels: `${consumerLabel}=${consumer}` }]] as const;
  return {
    watch: (stopped) =>
      watchHub(hub, { ...inNamespace(namespace), byKind }, stopped, async ({ cache }, tell, signal) => {
        const roster = new Roster();
        const profiles = cache.informer(ClusterProfile);
        const secrets = consumer ? cache.informer(Secret) : undefined;
        const find = await accessFinder(options, secrets);
        const joined = new Set<string>();
        let listed = false;
        const update = ({ namespace: at = "", name }: { namespace?: string | undefined; name: string }): void => {
          if (!listed) return;
          const key = `${at}/${name}`;
          const profile = profiles.store.get(key);
          const found = profile && find(profile);
          if (!found) joined.delete(key);
          // A control plane that fails later is noticed by its connection: only the first time needs the condition.
          else if (isConditionTrue(profile?.status?.conditions, "ControlPlaneHealthy")) joined.add(key);
          tell(...roster.update(`ClusterProfile ${key}`, joined.has(key) ? found : undefined));
        };
        const changed = ({ metadata }: Named<ClusterProfile>): void => update(metadata);
        const handled = ({ metadata: { labels = {}, namespace: at } }: Named<Secret>): void => {
          const name = labels[profileLabel];
          if (name) update({ namespace: at, name });
        };
        await profiles.addHandler({ add: changed, update: (_old, profile) => changed(profile), delete: changed });
        await secrets?.addHandler({ add: handled, update: (old, secret) => [old, secret].forEach(handled), delete: handled }); // prettier-ignore
        await Promise.all([profiles.waitForSync(signal), secrets?.waitForSync(signal)]);
        if (signal.aborted) return;
        listed = true;
        for (const key of profiles.store.keys()) changed(profiles.store.get(key)!);
        tell({ type: "listed" });
      }),
  };
}

type FindAccess = (profile: Named<ClusterProfile>) => Listing | undefined;

/** Returns a function that finds the access to a cluster, or returns `undefined` until there is one. */
async function accessFinder(
  { providerFile, namespace }: ClusterProfilesOptions,
  secrets: Informer<Secret> | undefined,
): Promise<FindAccess> {
  const parse = await secretParser();
  // Loaded on demand: few operators have a fleet.
  const { readAccessProviders, accessConfig } = await import("./access-providers.ts");
  const providers = providerFile ? await readAccessProviders(providerFile) : [];
  return (profile) => {
    const { namespace: at = "", name } = profile.metadata;
    const cluster = namespace ? name : `${at}/${name}`;
    try {
      const config = accessConfig(profile, providers);
      if (config) return { clusters: new Map([[cluster, config]]) };
    } catch (error) {
      return { error };
    }
    if (!secrets) {
      const known = providers.map((each) => each.name).join(", ");
      return { error: new TsopError("TSOP_FLEET_PROFILE_ACCESS", { cluster, known }) };
    }
    const own = secretsOf(secrets, at, name);
    if (own.length === 1) return listingOf(own[0]!, { key: "Config", cluster, parse });
    if (own.length === 0) return undefined;
    return { error: new TsopError("TSOP_FLEET_PROFILE_SECRETS", { cluster, count: own.length }) };
  };
}

function secretsOf({ store }: Informer<Secret>, namespace: string, profile: string): Named<Secret>[] {
  return [...store.keys(namespace)]
    .map((key) => store.get(key)!)
    .filter(({ metadata }) => metadata.labels?.[profileLabel] === profile);
}
