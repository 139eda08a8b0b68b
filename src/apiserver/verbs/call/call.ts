import type { ServerRequest } from "../../api-server.ts";
import type { ResourceEntry } from "../../registry/resource-entry.ts";
import type { Collection } from "../../storage/collection.ts";
import { storageKey } from "../../storage/store.ts";
import type { ServerCore } from "./server-core.ts";

/** A request whose resource is known. */
export interface Call {
  readonly core: ServerCore;
  readonly request: ServerRequest;
  readonly entry: ResourceEntry;
  readonly collection: Collection;
  readonly namespace: string | undefined;
  /** Empty on requests to a collection. */
  readonly name: string;
  readonly subresource: string | undefined;
  /** `/api/v1/watch/…`: nothing but a watch, even of one object. */
  readonly watchPath: boolean;
  readonly query: URLSearchParams;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
}

/** The storage key of the object that the URL names. */
export function keyOf(call: Call): string {
  return storageKey(call.namespace, call.name);
}
