import { resourcePath, type Kind, type ResourceAddress } from "../../apimachinery/kind.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ListOptions, WatchOptions, WriteOptions } from "../client.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the path of a resource with its query; parameters that are `undefined` or `false` are omitted. */
export function requestPath(kind: Kind, at: ResourceAddress, query: Query = {}): string {
  const namespace = kind.scope === "Namespaced" ? at.namespace : undefined;
  checkSegment(kind, namespace);
  checkSegment(kind, at.name);
  const path = resourcePath(kind, { ...at, namespace });
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false && value !== "") parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  return parts.length > 0 ? `${path}?${parts.join("&")}` : path;
}

/** Returns the address of an object; throws a TsopError that names a missing part. */
export function objectAddress(verb: string, kind: Kind, key: PartialKey): ResourceAddress {
  if (!key.name) throw new TsopError("TSOP_NAME_MISSING", { verb, kind: kind.kind });
  return { ...collectionAddress(verb, kind, key), name: key.name };
}

/** Returns the address of the objects in a namespace. */
export function collectionAddress(verb: string, kind: Kind, { namespace }: PartialKey): ResourceAddress {
  if (!namespace && kind.scope === "Namespaced")
    throw new TsopError("TSOP_NAMESPACE_MISSING", { verb, kind: kind.kind });
  return { namespace };
}

/** Refuses a name that is not a single segment of a path: servers decode a path before they split it. */
function checkSegment(kind: Kind, name: string | undefined): void {
  if (name !== undefined && /^\.{1,2}$|[/%]/.test(name))
    throw new TsopError("TSOP_NAME_INVALID", { kind: kind.kind, name });
}

export interface PartialKey {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

export function listQuery(options: Omit<ListOptions, "readonly">): Query {
  return {
    labelSelector: selectorText(options.labels),
    fieldSelector: selectorText(options.fields),
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

export function watchQuery(options: WatchOptions): Query {
  return {
    watch: true,
    ...listQuery(options),
    allowWatchBookmarks: options.allowBookmarks,
    sendInitialEvents: options.sendInitialEvents,
    timeoutSeconds: options.timeoutSeconds,
  };
}

export function writeQuery(options: WriteOptions & { force?: boolean }): Query {
  return {
    dryRun: options.dryRun ? "All" : undefined,
    fieldManager: options.fieldOwner,
    fieldValidation: options.fieldValidation,
    force: options.force,
  };
}

/** Formats a mapping as `a=1,b=2`; a text is returned unchanged. */
export function selectorText(selector: string | Readonly<Record<string, string>> | undefined): string | undefined {
  if (selector === undefined || typeof selector === "string") return selector;
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

/** Rejects a write of a projection, which would remove all other fields. */
export function mustBeWhole(verb: string, kind: Kind): void {
  if (kind.projection === "metadata") throw new TsopError("TSOP_METADATA_ONLY", { verb, kind: kind.kind });
}

/** Returns the Accept header, with plain JSON as the fallback for servers without projections. */
export function acceptFor(kind: Kind, as: string): string {
  return kind.projection === "full"
    ? "application/json"
    : `application/json;as=${as};g=meta.k8s.io;v=v1,application/json`;
}
