// A process that mirrors a server's pods, for memory.test.ts: prints the number of pods, its peak memory without the
// pages of files, and what V8 keeps.
// usage: node mirror.mjs SERVER
import { getHeapSpaceStatistics } from "node:v8";
import { createManager, discardLogger } from "../../../../dist/index.js";
import { Pod } from "../../../../dist/k8s/core/v1.js";
import { ownPeakWithoutFiles } from "../../../process-usage.mjs";

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
const spaces = new Map(getHeapSpaceStatistics().map((space) => [space.space_name, space]));
const megabytes = (bytes) => bytes / 1024 / 1024;
const peakMb = ownPeakWithoutFiles();
const keptMb = megabytes(spaces.get("old_space").space_used_size + spaces.get("large_object_space").space_used_size);
process.stdout.write(JSON.stringify({ count, inOneNamespace: items.length, peakMb, keptMb }));
stop.abort();
await done;
