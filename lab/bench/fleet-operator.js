// The operator of the fleet benchmark: in each cluster of a folder of kubeconfigs it copies the value of the ConfigMap
// `in` to `out`; each change of the hub's ConfigMap `all` is a request for each cluster. On the message "memory" it
// answers with its heap after a garbage collection.
import { createFleet, createManager, discardLogger, enqueueForObject, fleetControllerManagedBy, kubeconfigFiles, loadConfig } from "../../dist/index.js"; // prettier-ignore
import { ConfigMap } from "../../dist/k8s/core/v1.js";

const [hub, folder] = process.argv.slice(2);
const namespace = "default";
const mgr = await createManager(await loadConfig({ kubeconfig: hub }), {
  logger: discardLogger,
  metrics: { bindAddress: "127.0.0.1:0" },
});
const fleet = createFleet(mgr, kubeconfigFiles(folder, { interval: 200 }));
await fleetControllerManagedBy(fleet)
  .for(ConfigMap)
  .watchesHub(ConfigMap, enqueueForObject())
  .withOptions({ maxConcurrentReconciles: 8 })
  .complete({
    async reconcile({ cluster, name }, { signal }) {
      if (name !== "in" && name !== "all") return;
      const { client } = fleet.cluster(cluster);
      if (name === "all") return void (await client.getOrUndefined(ConfigMap, { namespace, name: "in" }, { signal }));
      const source = await client.getOrUndefined(ConfigMap, { namespace, name: "in" }, { signal });
      const value = source?.data?.["value"];
      const copy = await client.getOrUndefined(ConfigMap, { namespace, name: "out" }, { signal });
      if (value === undefined || copy?.data?.["value"] === value) return;
      if (copy) await client.update(ConfigMap, { ...copy, data: { value } }, { signal });
      else await client.create(ConfigMap, { metadata: { namespace, name: "out" }, data: { value } }, { signal });
    },
  });
const stop = new AbortController();
process.on("message", (message) => {
  if (message === "stop") return stop.abort();
  // Finalizers take a round of their own.
  for (let round = 0; round < 3; round++) globalThis.gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  const reachable = fleet.clusters.filter((name) => fleet.cluster(name).isReachable).length;
  process.send({ heapUsed, rss, external, clusters: fleet.clusters.length, reachable });
});
await mgr.start(stop.signal);
process.disconnect();
