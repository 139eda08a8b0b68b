// A process that mirrors a server's pods, for memory.test.ts: prints the number of pods and its peak memory.
// usage: node mirror.mjs SERVER
import { createManager, discardLogger } from "../../../../dist/index.js";
import { Pod } from "../../../../dist/k8s/core/v1.js";

const [server] = process.argv.slice(2);
const mgr = await createManager({ server, namespace: "default", source: "the test" }, { logger: discardLogger });
const stop = new AbortController();
const done = mgr.start(stop.signal);
await mgr.elected;
let count = 0;
const informer = mgr.cache.informer(Pod);
await informer.waitForSync(stop.signal);
for (const _key of informer.store.keys()) count++;
const { items } = await mgr.client.list(Pod, { namespace: "ns-7" });
process.stdout.write(
  JSON.stringify({ count, inOneNamespace: items.length, peakMb: process.resourceUsage().maxRSS / 1024 }),
);
stop.abort();
await done;
