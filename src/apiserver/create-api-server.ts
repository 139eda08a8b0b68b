import { randomUUID } from "node:crypto";
import type { ApiServer, Clock, ServerRequest, ServerResponse } from "./api-server.ts";
import { CrdController } from "./crd/crd-controller.ts";
import { seedNamespaces } from "./registry/seed-namespaces.ts";
import { builtinEntries } from "./registry/builtin-entries.ts";
import { ResourceRegistry } from "./registry/resource-registry.ts";
import type { ResourceEntry } from "./registry/resource-entry.ts";
import { deleteObject } from "./verbs/delete-object.ts";
import { route } from "./route.ts";
import { Store } from "./storage/store.ts";
import { timestamp, type ServerCore } from "./verbs/server-core.ts";
import { systemClock } from "./system-clock.ts";

export interface ApiServerOptions {
  /** Time; the real one by default. */
  readonly clock?: Clock;
  /** A number in [0, 1), for generated names and jitter. */
  readonly random?: () => number;
  readonly uid?: () => string;
}

/** Makes a server with the namespaces of an empty cluster. It works from the first request; `close` ends its watches. */
export function createApiServer(options: ApiServerOptions = {}): EmbeddedApiServer {
  const { clock = systemClock(), random = Math.random, uid = randomUUID } = options;
  const core: ServerCore = { store: new Store(), registry: new ResourceRegistry(builtinEntries()), clock, random, uid };
  const now = (): string => timestamp(clock.now());
  seedNamespaces(core.store, () => ({ uid: uid(), creationTimestamp: now() }));
  const crds = new CrdController({
    store: core.store,
    registry: core.registry,
    now,
    deleteInstances: (entry) => deleteAll(core, entry),
  });
  crds.start();
  return {
    handle: (request: ServerRequest): Promise<ServerResponse> => route(core, request),
    close() {
      crds.stop();
      for (const [, collection] of core.store.collections()) collection.closeWatches();
    },
  };
}

function deleteAll(core: ServerCore, entry: ResourceEntry): void {
  const collection = core.store.collection(entry.storage);
  const keys = [...collection.entries("")].map(([key]) => key);
  for (const key of keys) deleteObject({ core, entry, collection }, key, { dryRun: false });
}

export interface EmbeddedApiServer extends ApiServer {
  /** Ends all watches and the server's own controllers. */
  close(): void;
}
