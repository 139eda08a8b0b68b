import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Condition, KubeObject, Named } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Informer } from "../cache/informer.ts";
import type { Manager } from "../manager/manager.ts";
import { isConditionTrue } from "../objects/conditions.ts";
import type { ClusterProvider } from "./cluster-provider.ts";
import { inNamespace, listingOf, Secret, secretParser, watchHub } from "./kubeconfig-secrets.ts";
import { Roster, type Listing } from "./roster.ts";

interface ClusterProfile extends KubeObject {
  status?: { conditions?: Condition[] };
}

const ClusterProfile: Kind<ClusterProfile> = defineKind<ClusterProfile>({
  group: "multicluster.x-k8s.io",
  version: "v1alpha1",
  kind: "ClusterProfile",
  plural: "clusterprofiles",
});

/** Options of `clusterProfiles`. */
export interface ClusterProfilesOptions {
  /** The name of this operator in the label `x-k8s.io/cluster-inventory-consumer` of its Secrets. */
  readonly consumer: string;
  /** All namespaces by default; the names of clusters then contain their namespace: `<namespace>/<name>`. */
  readonly namespace?: string;
}

const consumerLabel = "x-k8s.io/cluster-inventory-consumer";
const profileLabel = "x-k8s.io/cluster-profile";

/**
 * Finds the clusters of a cluster inventory: the ClusterProfiles (multicluster.x-k8s.io/v1alpha1) of the manager's
 * cluster. A cluster joins once its condition ControlPlaneHealthy is true, with the kubeconfig under the key `Config` of
 * the one Secret in its namespace that is labeled with this consumer and the profile. It leaves with its ClusterProfile
 * or its Secret. Access providers of a profile's status, which need programs of their own, are not used.
 *
 * @example
 * const fleet = createFleet(mgr, clusterProfiles(mgr, { consumer: "spreader", namespace: "fleet" }));
 */
export function clusterProfiles(hub: Manager, { consumer, namespace }: ClusterProfilesOptions): ClusterProvider {
  const byKind = new Map([[Secret as Kind, { labels: `${consumerLabel}=${consumer}` }]]);
  return {
    watch: (stopped) =>
      watchHub(hub, { ...inNamespace(namespace), byKind }, stopped, async ({ cache }, tell, signal) => {
        const parse = await secretParser();
        const listing = (own: readonly Named<Secret>[], cluster: string): Listing =>
          own.length === 1
            ? listingOf(own[0]!, { key: "Config", cluster, parse })
            : { error: new TsopError("TSOP_FLEET_PROFILE_SECRETS", { cluster, count: own.length }) };
        const joined = new Set<string>();
        const roster = new Roster();
        const profiles = cache.informer(ClusterProfile);
        const secrets = cache.informer(Secret);
        let listed = false;
        const update = ({ namespace: at = "", name }: { namespace?: string | undefined; name: string }): void => {
          if (!listed) return;
          const key = `${at}/${name}`;
          const profile = profiles.store.get(key);
          const own = profile ? secretsOf(secrets, at, name) : [];
          if (!profile || own.length === 0) joined.delete(key);
          // A control plane that fails later is noticed by its connection: only the first time needs the condition.
          else if (isConditionTrue(profile.status?.conditions, "ControlPlaneHealthy")) joined.add(key);
          const cluster = namespace ? name : key;
          tell(...roster.update(`ClusterProfile ${key}`, joined.has(key) ? listing(own, cluster) : undefined));
        };
        const changed = ({ metadata }: Named<ClusterProfile>): void => update(metadata);
        const handled = ({ metadata: { labels = {}, namespace: at } }: Named<Secret>): void => {
          const name = labels[profileLabel];
          if (name) update({ namespace: at, name });
        };
        await profiles.addHandler({ add: changed, update: (_old, profile) => changed(profile), delete: changed });
        await secrets.addHandler({ add: handled, update: (old, secret) => [old, secret].forEach(handled), delete: handled }); // prettier-ignore
        await Promise.all([profiles.waitForSync(signal), secrets.waitForSync(signal)]);
        if (signal.aborted) return;
        listed = true;
        for (const key of profiles.store.keys()) changed(profiles.store.get(key)!);
        tell({ type: "listed" });
      }),
  };
}

function secretsOf({ store }: Informer<Secret>, namespace: string, profile: string): Named<Secret>[] {
  return [...store.keys(namespace)]
    .map((key) => store.get(key)!)
    .filter(({ metadata }) => metadata.labels?.[profileLabel] === profile);
}
