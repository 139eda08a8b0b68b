// A port of pravega/zookeeper-operator 0.2.9 without what needs a running ZooKeeper. Its published bugs are included:
// https://github.com/pravega/zookeeper-operator/issues/312 and https://github.com/pravega/zookeeper-operator/issues/314
import {
  controllerManagedBy,
  createOrUpdate,
  defineKind,
  equalJson,
  ignoreNotFound,
  setControllerReference,
} from "../../../../dist/index.js";
import { Claim, ConfigMap, Service } from "../kinds.js";

const ZookeeperCluster = defineKind({
  group: "zookeeper.pravega.io",
  version: "v1beta1",
  kind: "ZookeeperCluster",
  plural: "zookeeperclusters",
  subresources: ["status"],
});
const StatefulSet = defineKind({ group: "apps", version: "v1", kind: "StatefulSet", plural: "statefulsets" });
const finalizer = "cleanUpZookeeperPVC";

export async function setupZookeeper(mgr) {
  const { client } = mgr;

  async function reconcile(request) {
    const cluster = await client.getOrUndefined(ZookeeperCluster, request);
    if (!cluster) return;
    await reconcileFinalizers(cluster);
    if (cluster.metadata.deletionTimestamp) return;
    await reconcileConfigMap(cluster);
    await reconcileStatefulSet(cluster);
    await reconcileServices(cluster);
    await reconcileStatus(cluster);
  }

  async function reconcileFinalizers(cluster) {
    const { metadata } = cluster;
    const finalizers = metadata.finalizers ?? [];
    if (!metadata.deletionTimestamp) {
      if (!finalizers.includes(finalizer)) {
        metadata.finalizers = [...finalizers, finalizer];
        Object.assign(cluster, await client.update(ZookeeperCluster, cluster));
      }
      return cleanUpOrphans(cluster);
    }
    if (!finalizers.includes(finalizer)) return;
    // Issue 312: these may be the claims of a new cluster with the same name.
    for (const claim of await claimsOf(cluster)) await client.delete(Claim, claim.metadata).catch(ignoreNotFound);
    metadata.finalizers = finalizers.filter((name) => name !== finalizer);
    await client.update(ZookeeperCluster, cluster).catch(ignoreNotFound);
  }

  // Issue 314: size and status may be those from before the cluster has grown.
  async function cleanUpOrphans(cluster) {
    const { replicas } = cluster.spec;
    if (cluster.status?.readyReplicas !== replicas) return;
    const claims = await claimsOf(cluster);
    if (claims.length <= replicas) return;
    for (const { metadata } of claims)
      if (Number(metadata.name.split("-").at(-1)) >= replicas)
        await client.delete(Claim, metadata).catch(ignoreNotFound);
  }

  async function claimsOf({ metadata: { namespace, name } }) {
    return (await client.list(Claim, { namespace, labels: { app: name } })).items;
  }

  async function reconcileConfigMap(cluster) {
    await ensure(ConfigMap, cluster, "-configmap", (map) => {
      map.data = {
        "zoo.cfg": `4lw.commands.whitelist=cons, envi\nmaxClientCnxns=${cluster.spec.maxClientConnections ?? 60}`,
      };
    });
  }

  async function reconcileStatefulSet(cluster) {
    const { name } = cluster.metadata;
    const labels = { app: name };
    await ensure(StatefulSet, cluster, "", (set) => {
      set.spec ??= {
        serviceName: `${name}-headless`,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "zookeeper", image: "pravega/zookeeper:0.2.9" }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: "data", labels },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      };
      set.spec.replicas = cluster.spec.replicas;
    });
  }

  async function reconcileServices(cluster) {
    const selector = { app: cluster.metadata.name };
    for (const [suffix, spec] of [
      ["-client", { ports: [{ name: "client", port: 2181 }], selector }],
      ["-headless", { ports: [{ name: "quorum", port: 2888 }], selector, clusterIP: "None" }],
    ])
      await ensure(Service, cluster, suffix, (service) => (service.spec ??= spec));
  }

  async function reconcileStatus(cluster) {
    const set = await client.getOrUndefined(StatefulSet, cluster.metadata);
    const status = { replicas: cluster.spec.replicas, readyReplicas: set?.status?.readyReplicas ?? 0 };
    if (!equalJson(cluster.status, status)) await client.status.update(ZookeeperCluster, { ...cluster, status });
  }

  async function ensure(kind, cluster, suffix, shape) {
    const { namespace, name } = cluster.metadata;
    await createOrUpdate(client, kind, { metadata: { namespace, name: `${name}${suffix}` } }, (object) => {
      shape(object);
      setControllerReference(cluster, object);
    });
  }

  await controllerManagedBy(mgr)
    .for(ZookeeperCluster)
    .owns(StatefulSet)
    .owns(Service)
    .owns(ConfigMap)
    .complete({ reconcile });
}
