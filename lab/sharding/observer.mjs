// The truth of the server: the shard of each object at each version, and each write of a child. Times are times of
// arrival, in microseconds of CLOCK_MONOTONIC.
import { ConfigMap, Secret } from "../../dist/k8s/core/v1.js";

export const now = () => Number(process.hrtime.bigint() / 1000n);

/** Watches Secrets and ConfigMaps of the namespace until `stop`. */
export async function observe(client, { ring, namespace }) {
  const stopping = new AbortController();
  const shardLabel = `shard.alpha.sharding.timebertt.dev/${ring}`;
  const drainLabel = `drain.alpha.sharding.timebertt.dev/${ring}`;
  /** By Secret: [version, time, shard, drained], the oldest first. */
  const owners = new Map();
  /** By Secret: versions of its child with their time and writer. */
  const children = new Map();
  const add = (map, key, entry) => {
    const known = map.get(key);
    if (known) known.push(entry);
    else map.set(key, [entry]);
  };
  const see = {
    Secret: (type, { metadata: { name, labels = {}, resourceVersion } }) => {
      const deleted = type === "DELETED";
      const shard = deleted ? undefined : labels[shardLabel];
      const entry = { version: Number(resourceVersion), at: now(), shard, drained: drainLabel in labels, deleted };
      add(owners, name, entry);
    },
    ConfigMap: (type, { metadata: { name, labels = {}, resourceVersion }, data }) => {
      if (!name.startsWith("checksums-")) return;
      // Only the Go shard sets this label, and it writes only once.
      const writer = data?.writer ?? (labels.secret ? "go" : undefined);
      const entry = { version: Number(resourceVersion), at: now(), type, writer, shard: labels[shardLabel] };
      add(children, name.slice("checksums-".length), entry);
    },
  };
  const loops = [Secret, ConfigMap].map(async (kind) => {
    const { items, metadata } = await client.list(kind, { namespace });
    let from = metadata.resourceVersion;
    for (const object of items) see[kind.kind]("ADDED", object);
    while (!stopping.signal.aborted) {
      try {
        const options = { namespace, resourceVersion: from, signal: stopping.signal };
        for await (const { type, object } of client.watch(kind, options)) {
          if (type === "ERROR") throw new Error(`the observer lost its watch: ${JSON.stringify(object)}`);
          if (object.metadata?.resourceVersion) from = object.metadata.resourceVersion;
          if (type !== "BOOKMARK") see[kind.kind](type, object);
        }
      } catch (error) {
        if (!stopping.signal.aborted) throw error;
      }
    }
  });
  const ended = Promise.all(loops);
  ended.catch((error) => {
    console.error(error);
    process.exit(1);
  });
  const stop = async () => {
    stopping.abort();
    await ended.catch(() => undefined);
  };
  return { owners, children, stop };
}
