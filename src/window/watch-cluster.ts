import { objectKey, type KubeObject, type UnstructuredObject } from "../apimachinery/meta.ts";
import { ApiCaller } from "../client/calls/api-caller.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { createClient } from "../client/create-client.ts";
import { discoverAll, preferredKinds, type DiscoveredKind } from "../client/discovery/discover-all.ts";
import { HttpTransport } from "../client/transport/http-transport.ts";
import { Cache } from "../runtime/cache/cache.ts";
import { discardLogger } from "../runtime/log/logger.ts";
import type { Writer } from "./contract.ts";
import type { Recorder } from "./recorder.ts";
import { windowAgent } from "./work/describe-request.ts";

/** Records the objects of a cluster, as far as its user may watch them, until the signal aborts. */
export async function watchCluster(recorder: Recorder, config: ClientConfig, signal: AbortSignal): Promise<void> {
  const transport = new HttpTransport(config, { userAgent: windowAgent });
  const kinds = preferredKinds(await discoverAll(new ApiCaller(transport), signal)).filter(isWatched);
  const client = createClient({ transport });
  const cache = new Cache(client, discardLogger, { stripManagedFields: false, freezeShared: false });
  for (const { kind } of kinds) {
    const resource = `${kind.group}/${kind.plural}`;
    const record = (type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject): void => {
      const { namespace, name } = objectKey(object);
      const id = `${resource} ${namespace ? `${namespace}/` : ""}${name}`;
      const by = type === "DELETED" ? undefined : lastWriter(object);
      recorder.changed({ id, at: Date.now(), type, object: object as UnstructuredObject, ...(by && { by }) });
    };
    void cache.informer(kind).addHandler({
      add: (object) => record("ADDED", object),
      update(old, object) {
        if (old.metadata.resourceVersion !== object.metadata.resourceVersion) record("MODIFIED", object);
      },
      delete: (object) => record("DELETED", object),
    });
  }
  try {
    await cache.start(signal);
  } finally {
    transport.close();
  }
}

/** Events are served by two groups; one is enough. */
function isWatched({ kind, verbs }: DiscoveredKind): boolean {
  return verbs.includes("list") && verbs.includes("watch") && kind.group !== "events.k8s.io";
}

/** Returns the field manager that wrote last: a cluster does not tell its users. */
function lastWriter({ metadata }: KubeObject): Writer | undefined {
  const newest = (metadata.managedFields ?? []).toSorted((a, b) => ((a.time ?? "") < (b.time ?? "") ? 1 : -1))[0];
  return newest?.manager === undefined ? undefined : { user: "", manager: newest.manager };
}
