import { apiVersionOf, type Kind } from "../apimachinery/kind.ts";
import {
  objectKey,
  type DeepReadonly,
  type KubeList,
  type KubeObject,
  type Named,
  type ObjectKey,
  type ObjectRef,
  type UnstructuredObject,
  type WatchEvent,
} from "../apimachinery/meta.ts";
import { isNotFound, isStatus } from "../apimachinery/status.ts";
import { ApiCaller } from "./calls/api-caller.ts";
import type * as api from "./client.ts";
import type { ClientConfig } from "./config/config.ts";
import { DiscoveredKinds } from "./discovery/discovered-kinds.ts";
import { HttpTransport } from "./transport/http-transport.ts";
import { LineSplitter } from "./calls/line-splitter.ts";
import {
  acceptFor,
  mustBeWhole,
  collectionAddress,
  listQuery,
  objectAddress,
  requestPath,
  watchQuery,
  writeQuery,
} from "./calls/request-path.ts";
import { readEvent, readLazyEvents } from "./calls/read-event.ts";
import { stamp } from "./calls/lazy-object.ts";
import { subResourceClient } from "./calls/sub-resource.ts";
import type { Transport } from "./transport.ts";

/** Options that all calls of a client share. */
export interface ClientDefaults {
  readonly fieldOwner?: string | undefined;
  readonly fieldValidation?: api.WriteOptions["fieldValidation"];
  readonly dryRun?: boolean | undefined;
  /** Receives the text of the server's warnings, for example about deprecated versions. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Reports the same warning only once; the default is false. */
  readonly deduplicateWarnings?: boolean | undefined;
}

/** A client needs a configuration, or an existing transport. */
export type ClientOptions = ClientDefaults & ({ readonly config: ClientConfig } | { readonly transport: Transport });

/**
 * Creates a typed client of one API server. It has no cache and opens no connection before the first call.
 *
 * @example
 * const client = createClient({ config: await loadConfig(), fieldOwner: "my-tool", onWarning: console.warn });
 * const { items } = await client.list(Deployment, { namespace: "default" });
 */
export function createClient(options: ClientOptions): api.Client {
  const transport = "transport" in options ? options.transport : new HttpTransport(options.config);
  return new ApiClient(transport, options);
}

class ApiClient implements api.Client {
  readonly status: api.SubResourceClient;
  private readonly caller: ApiCaller;
  private readonly defaults: ClientDefaults;
  private readonly discovered: DiscoveredKinds;

  constructor(transport: Transport, defaults: ClientDefaults) {
    const onNotServed = ({ group }: Kind): void => this.discovered.forget(group);
    this.caller = new ApiCaller(transport, { onWarning: warningHandler(defaults), onNotServed });
    this.discovered = new DiscoveredKinds(this.caller);
    this.defaults = defaults;
    this.status = this.subResource("status");
  }

  subResource(name: string): api.SubResourceClient {
    return subResourceClient(this.caller, name, (options) => this.withDefaults(options));
  }

  kindFor(apiVersion: string, kind: string, options?: api.CallOptions): Promise<Kind<UnstructuredObject>> {
    return this.discovered.find(apiVersion, kind, options);
  }

  preferredKindFor(group: string, kind: string, options?: api.CallOptions): Promise<Kind<UnstructuredObject>> {
    return this.discovered.findPreferred(group, kind, options);
  }

  async get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options: api.GetOptions = {}): Promise<Named<T>> {
    const { resourceVersion } = options;
    const path = requestPath(kind, objectAddress("get", kind, key), { resourceVersion });
    const accept = acceptFor(kind, "PartialObjectMetadata");
    return stamp(kind, await this.caller.call({ method: "GET", path, kind, accept, signal: options.signal }));
  }

  async getOrUndefined<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: api.GetOptions,
  ): Promise<Named<T> | undefined> {
    try {
      return await this.get(kind, key, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  list<T extends KubeObject>(
    kind: Kind<T>,
    options: api.ReadonlyListOptions,
  ): Promise<DeepReadonly<KubeList<Named<T>>>>;
  list<T extends KubeObject>(kind: Kind<T>, options?: api.ListOptions): Promise<KubeList<Named<T>>>;
  async list<T extends KubeObject>(
    kind: Kind<T>,
    options: api.ListOptions | api.ReadonlyListOptions = {},
  ): Promise<KubeList<Named<T>>> {
    const path = requestPath(kind, { namespace: options.namespace }, listQuery(options));
    const accept = acceptFor(kind, "PartialObjectMetadataList");
    const list = (await this.caller.call({ method: "GET", path, kind, accept, signal: options.signal })) as KubeList<
      Named<T>
    >;
    // The items of a list have no type on the wire, but owner references and events need it.
    for (const item of (list.items ??= [])) stamp(kind, item);
    return { ...list, apiVersion: apiVersionOf(kind), kind: kind.listKind };
  }

  async *listEach<T extends KubeObject>(kind: Kind<T>, options: api.ListOptions = {}): AsyncGenerator<Named<T>> {
    let page: KubeList<Named<T>> = await this.list(kind, { limit: 500, ...options });
    for (;;) {
      yield* page.items;
      if (!page.metadata.continue) return;
      const { resourceVersion: _first, resourceVersionMatch: _match, ...rest } = options;
      page = await this.list(kind, { limit: 500, ...rest, continue: page.metadata.continue });
    }
  }

  async *watch<T extends KubeObject>(kind: Kind<T>, options: api.WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    for await (const [path, lines] of this.watchLines(kind, options)) {
      for (const line of lines) yield readEvent(kind, line, path);
    }
  }

  async *watchBatches<T extends KubeObject>(
    kind: Kind<T>,
    options: api.CacheWatchOptions,
  ): AsyncGenerator<Iterable<api.LazyEvent<T>>> {
    const { stripManagedFields } = options;
    for await (const [path, lines] of this.watchLines(kind, options)) {
      yield readLazyEvents(kind, lines, { path, stripManagedFields });
    }
  }

  /** Yields the lines that each chunk of a watch completes, with the path of the watch. */
  private async *watchLines(kind: Kind, options: api.WatchOptions): AsyncGenerator<[path: string, lines: Buffer[]]> {
    const path = requestPath(kind, { namespace: options.namespace }, watchQuery(options));
    const accept = acceptFor(kind, "PartialObjectMetadata");
    const body = await this.caller.stream({ method: "GET", path, kind, accept, signal: options.signal });
    const splitter = new LineSplitter();
    try {
      for await (const chunk of body) yield [path, splitter.push(chunk)];
    } catch (error) {
      // An abort appears as a broken connection; callers compare with their own reason.
      throw options.signal?.aborted ? options.signal.reason : error;
    }
    options.signal?.throwIfAborted();
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: T, options: api.WriteOptions = {}): Promise<Named<T>> {
    mustBeWhole("create", kind);
    const path = requestPath(
      kind,
      collectionAddress("create", kind, object.metadata),
      writeQuery(this.withDefaults(options)),
    );
    const body = withType(kind, object);
    return stamp(kind, await this.caller.call({ method: "POST", path, kind, body, signal: options.signal }));
  }

  async update<T extends KubeObject>(kind: Kind<T>, object: T, options: api.WriteOptions = {}): Promise<Named<T>> {
    mustBeWhole("update", kind);
    const at = objectAddress("update", kind, object.metadata);
    const path = requestPath(kind, at, writeQuery(this.withDefaults(options)));
    const body = withType(kind, object);
    return stamp(kind, await this.caller.call({ method: "PUT", path, kind, body, signal: options.signal }));
  }

  async patch<T extends KubeObject>(
    kind: Kind<T>,
    object: ObjectRef,
    patch: api.Patch,
    options: api.WriteOptions = {},
  ): Promise<Named<T>> {
    const at = objectAddress("patch", kind, objectKey(object));
    const path = requestPath(kind, at, writeQuery(this.withDefaults(options)));
    const { body, type: contentType } = patch;
    const accept = acceptFor(kind, "PartialObjectMetadata");
    const call = { method: "PATCH", path, kind, body, contentType, accept, signal: options.signal } as const;
    return stamp(kind, await this.caller.call(call));
  }

  apply<T extends KubeObject>(
    kind: Kind<T>,
    object: api.ApplyConfiguration<T>,
    options: api.ApplyOptions,
  ): Promise<Named<T>> {
    const body = withType(kind, object);
    return this.patch(kind, object.metadata, { type: "application/apply-patch+yaml", body }, options);
  }

  async delete(kind: Kind, object: ObjectRef, options?: api.DeleteOptions): Promise<void> {
    await this.deleteAndTell(kind, object, options);
  }

  async deleteAndTell<T extends KubeObject>(
    kind: Kind<T>,
    object: ObjectRef,
    options: api.DeleteOptions = {},
  ): Promise<api.Deletion<T>> {
    const path = requestPath(kind, objectAddress("delete", kind, objectKey(object)));
    const body = this.deleteBody(options);
    const answer = await this.caller.call({ method: "DELETE", path, kind, body, signal: options.signal });
    return isStatus(answer) ? answer : stamp(kind, answer);
  }

  async deleteAllOf(kind: Kind, options: api.ListOptions & api.DeleteOptions = {}): Promise<void> {
    const { namespace, labels, fields, signal } = options;
    const path = requestPath(kind, { namespace }, listQuery({ ...(labels && { labels }), ...(fields && { fields }) }));
    await this.caller.call({ method: "DELETE", path, kind, body: this.deleteBody(options), signal });
  }

  private withDefaults<O extends api.WriteOptions>(options: O): O {
    const { fieldOwner, fieldValidation, dryRun } = this.defaults;
    return {
      ...options,
      ...(fieldOwner && !options.fieldOwner ? { fieldOwner } : {}),
      ...(fieldValidation && !options.fieldValidation ? { fieldValidation } : {}),
      ...(dryRun && options.dryRun === undefined ? { dryRun } : {}),
    };
  }

  private deleteBody(options: api.DeleteOptions): object {
    const { gracePeriodSeconds, propagationPolicy, preconditions } = options;
    const dryRun = (options.dryRun ?? this.defaults.dryRun) ? ["All"] : undefined;
    return { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds, propagationPolicy, preconditions, dryRun };
  }
}

function warningHandler({ onWarning, deduplicateWarnings }: ClientDefaults): ClientDefaults["onWarning"] {
  if (!onWarning || !deduplicateWarnings) return onWarning;
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    onWarning(text);
  };
}

/** Adds the type to an object, which a caller may omit. */
function withType(kind: Kind, object: object): object {
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
