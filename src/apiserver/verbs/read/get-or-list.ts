import { badRequest, bareError, notFound, expired } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import {
  invalidRevision,
  refuseFuture,
  continueToken,
  expiredPage,
  readListOptions,
  type ListOptions,
  type ListQuery,
} from "../request/read-options.ts";
import { isTrue, selects, selectsOne } from "../request/selection.ts";
import { partOf } from "../object/part.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import type { ListMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Collection } from "../../storage/collection.ts";

/** Gets one object, or a subresource of it. */
export async function get(call: Call): Promise<Answer> {
  checkOptions(call);
  const stored = call.collection.get(keyOf(call));
  if (!stored) throw notFound(call.entry.resource, call.name);
  await call.entry.load?.([stored]);
  return { type: "object", code: 200, body: partOf(call).show(call.entry.read(stored)) };
}

/** Checks the options; the newest state is never older than the requested one. */
function checkOptions(call: Call): void {
  const { query } = call;
  if (query.size === 0) return;
  if (isTrue(query.get("export"))) throw badRequest("the export parameter is no longer supported");
  const version = query.get("resourceVersion") ?? "";
  if (!/^\d*$/.test(version)) throw bareError(invalidRevision(version));
  refuseFuture(call, Number(version));
}

interface Page {
  readonly items: UnstructuredObject[];
  /** The key of the last item, if more follow. */
  readonly last: string | undefined;
}

/** Lists a collection, across namespaces if the URL has none. */
export async function list(call: Call, query?: ListQuery): Promise<Extract<Answer, { type: "list" }>> {
  const options = readListOptions(call, query);
  const revision = options.at ?? call.core.store.revision;
  const prefix = call.namespace ? `${call.namespace}/` : "";
  const objects = source(call, options);
  // Without a webhook, the items are read in the same turn as the revision, which they belong to.
  if (call.entry.load) await call.entry.load([...objects.entries(prefix)].map(([, object]) => object));
  const { items, last } = page(call, objects, { ...options, prefix });
  const metadata: ListMeta = { resourceVersion: String(revision) };
  if (call.entry.resource.custom) metadata.continue = "";
  if (last !== undefined) {
    metadata.continue = continueToken(revision, last.slice(prefix.length));
    if (!selects(call)) metadata.remainingItemCount = countRemaining(objects, prefix, last);
  }
  const { resource } = call.entry;
  return {
    type: "list",
    code: 200,
    body: { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata, items },
  };
}

type Objects = Pick<Collection, "entries">;

function page(call: Call, objects: Objects, options: ListOptions & { readonly prefix: string }): Page {
  const { prefix, start = "", limit, matches } = options;
  const items: UnstructuredObject[] = [];
  const isPaged = limit > 0 && !selectsOne(call);
  let last: string | undefined;
  for (const [key, stored] of objects.entries(prefix, prefix + start)) {
    // The next page, which may be empty, finds out whether later items match.
    if (isPaged && items.length === limit) return { items, last };
    const object = call.entry.read(stored);
    if (!matches(object)) continue;
    items.push(object);
    last = key;
  }
  return { items, last: undefined };
}

/** Returns the objects to list: a copy if a webhook converts them, as writes may happen meanwhile. */
function source(call: Call, { at, start }: ListOptions): Objects {
  const { core, collection, entry } = call;
  if (at === undefined || at === core.store.revision) return entry.load ? collection.copy() : collection;
  const past = collection.at(at);
  if (past) return past;
  if (start !== undefined) throw expiredPage(start);
  throw expired(`The resourceVersion for the provided list is too old.`);
}

function countRemaining(objects: Objects, prefix: string, last: string): number {
  let count = -1;
  for (const _ of objects.entries(prefix, last)) count++;
  return count;
}
