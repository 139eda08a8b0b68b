// A replica of an operator, for leader-election.test.ts: while it leads, it writes its name into a ConfigMap.
// usage: node candidate.mjs KUBECONFIG NAME
import { setTimeout as wait } from "node:timers/promises";
import { createManager, discardLogger, loadConfig, mergePatch, setupSignalHandler } from "../../dist/index.js";
import { ConfigMap } from "../../dist/k8s/core/v1.js";

const [kubeconfig, name] = process.argv.slice(2);
const mgr = await createManager(await loadConfig({ kubeconfig }), {
  logger: discardLogger,
  leaderElection: {
    enabled: true,
    id: "candidates.example.com",
    namespace: "default",
    leaseDuration: 8_000,
    renewDeadline: 6_000,
    retryPeriod: 200,
  },
});

mgr.add(async (signal) => {
  process.stdout.write("leads\n");
  for (let count = 0; !signal.aborted; count++) {
    const data = { leader: name, count: String(count) };
    await mgr.client.patch(ConfigMap, { namespace: "default", name: "leader" }, mergePatch({ data }));
    await wait(100, undefined, { signal }).catch(() => undefined);
  }
});
const done = mgr.start(setupSignalHandler());
process.stdout.write("ready\n");
await done;
