import type { Kind } from "../../apimachinery/kind.ts";
import type { Named, ObjectKey, UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiCaller } from "../../client/calls/api-caller.ts";
import { createClient } from "../../client/create-client.ts";
import { discoverAll, type DiscoveredKind } from "../../client/discovery/discover-all.ts";
import type { Transport, TransportRequest, TransportResponse } from "../../client/transport.ts";

/** A cluster that can only be read. */
export interface ClusterReader {
  /** Lists everything that the server serves: each resource once for each of its versions. */
  discover(): Promise<readonly DiscoveredKind[]>;
  get(kind: Kind<UnstructuredObject>, key: ObjectKey): Promise<Named<UnstructuredObject> | undefined>;
  /** Yields the objects of a list, page by page. */
  list(kind: Kind<UnstructuredObject>, options?: ReadOptions): AsyncIterable<Named<UnstructuredObject>>;
}

export interface ReadOptions {
  readonly namespace?: string | undefined;
  /** Lists only the object of this name. */
  readonly name?: string | undefined;
}

/** What a reader needs of a transport: requests that change nothing. */
export interface ReadTransport {
  request(request: Omit<TransportRequest, "method" | "body"> & { readonly method: "GET" }): Promise<TransportResponse>;
}

/** A page of the largest objects that a server stores still is a text that Node can hold. */
const pageSize = 250;

/** Opens a cluster for reading. Requests end with the signal. */
export function openClusterReader(server: ReadTransport, signal: AbortSignal): ClusterReader {
  const transport = onlyReads(server);
  const client = createClient({ transport });
  const caller = new ApiCaller(transport);
  return {
    discover: () => discoverAll(caller, signal),
    get: (kind, key) => client.getOrUndefined(kind, key, { signal }),
    list: (kind, { namespace, name } = {}) =>
      client.listEach(kind, {
        namespace,
        signal,
        limit: pageSize,
        ...(name !== undefined && { fields: { "metadata.name": name } }),
      }),
  };
}

/** Returns a transport that refuses whatever is not a read before a byte is sent. */
function onlyReads(server: ReadTransport): Transport {
  return {
    async request({ method, body, ...request }) {
      if (method !== "GET" || body !== undefined) throw new Error(`${method} ${request.path}: a cluster is only read`);
      return server.request({ ...request, method });
    },
    close() {},
  };
}
