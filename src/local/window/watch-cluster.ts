import { compareVersions } from "../../apimachinery/compare-versions.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiCaller } from "../../client/calls/api-caller.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { createClient } from "../../client/create-client.ts";
import { isEstablished, kindsOfCrd } from "../../client/discovery/crd-kinds.ts";
import { discoverAll, preferredKinds, type DiscoveredKind } from "../../client/discovery/discover-all.ts";
import { HttpTransport } from "../../client/transport/http-transport.ts";
import { Cache } from "../../runtime/cache/cache.ts";
import { discardLogger } from "../../runtime/log/logger.ts";
import type { Writer } from "./contract.ts";
import type { Recorder } from "./recorder.ts";
import { windowAgent } from "./work/describe-request.ts";

/** Records the objects of a cluster, as far as its user may watch them, until the signal aborts. */
export async function watchCluster(recorder: Recorder, config: ClientConfig, signal: AbortSignal): Promise<void> {
  const transport = new HttpTransport(config, { userAgent: windowAgent });
  const kinds = preferredKinds(await discoverAll(new ApiCaller(transport), signal)).filter(isWatched);
  const client = createClient({ transport });
  const cache = new Cache(client, discardLogger, { stripManagedFields: false, freezeShared: false });
  const versions = new Map<string, string>();
  const watch = (kind: Kind): void => {
    versions.set(resourceOf(kind), kind.version);
    recordKind(recorder, cache, kind);
  };
  for (const { kind } of kinds) watch(kind);
  const crds = kinds.find(({ kind }) => resourceOf(kind) === "apiextensions.k8s.io/customresourcedefinitions");
  // Kinds may be installed later. A resource is watched in another version if its own is no longer served.
  const follow = (crd: KubeObject): void => {
    const definition = crd as UnstructuredObject;
    if (!isEstablished(definition)) return;
    const served = kindsOfCrd(definition);
    const [newest] = served.toSorted((a, b) => compareVersions(a.version, b.version));
    if (newest && !served.some(({ version }) => version === versions.get(resourceOf(newest)))) watch(newest);
  };
  if (crds) void cache.informer(crds.kind).addHandler({ add: follow, update: (_, crd) => follow(crd), delete() {} });
  try {
    await cache.start(signal);
  } finally {
    transport.close();
  }
}

function recordKind(recorder: Recorder, cache: Cache, kind: Kind): void {
  const record = (type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject): void => {
    const { namespace, name } = objectKey(object);
    const id = `${resourceOf(kind)} ${namespace ? `${namespace}/` : ""}${name}`;
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

function resourceOf({ group, plural }: Kind): string {
  return `${group}/${plural}`;
}

/** Events are served by two groups; one is enough. */
function isWatched({ kind, verbs }: DiscoveredKind): boolean {
  return verbs.includes("list") && verbs.includes("watch") && kind.group !== "events.k8s.io";
}

/** Returns the field manager that wrote last: a cluster does not say which user it was. */
function lastWriter({ metadata }: KubeObject): Writer | undefined {
  const newest = (metadata.managedFields ?? []).toSorted((a, b) => ((a.time ?? "") < (b.time ?? "") ? 1 : -1))[0];
  return newest?.manager === undefined ? undefined : { user: "", manager: newest.manager };
}
