import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { ListMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import { expired } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { continueToken, expiredPage, readListOptions, type ListOptions } from "./list-options.ts";
import { selection, selects } from "./selection.ts";

interface Page {
  readonly items: UnstructuredObject[];
  /** Key of the last item, when more follow. */
  readonly last: string | undefined;
}

/** GET of a collection, across namespaces when the URL has none. */
export function list(call: Call): Answer {
  const options = readListOptions(call);
  const revision = options.at ?? call.core.store.revision;
  const prefix = call.namespace ? `${call.namespace}/` : "";
  const { items, last } = page(call, options, prefix);
  const metadata: ListMeta = { resourceVersion: String(revision) };
  if (call.entry.resource.custom) metadata.continue = "";
  if (last !== undefined) {
    metadata.continue = continueToken(revision, last.slice(prefix.length));
    if (!selects(call)) metadata.remainingItemCount = remaining(call, options, prefix, last);
  }
  const { resource } = call.entry;
  return {
    type: "list",
    code: 200,
    body: { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata, items },
  };
}

function page(call: Call, options: ListOptions, prefix: string): Page {
  const matches = selection(call);
  const items: UnstructuredObject[] = [];
  let last: string | undefined;
  for (const [key, stored] of source(call, options).entries(prefix, prefix + (options.start ?? ""))) {
    const object = call.entry.read(stored);
    if (!matches(object)) continue;
    if (options.limit && items.length === options.limit) return { items, last };
    items.push(object);
    last = key;
  }
  return { items, last: undefined };
}

function source(call: Call, { at, start }: ListOptions) {
  if (at === undefined || at === call.core.store.revision) return call.collection;
  const past = call.collection.at(at);
  if (past) return past;
  if (start !== undefined) throw expiredPage(call, start);
  throw expired(`The resourceVersion for the provided list is too old.`);
}

function remaining(call: Call, options: ListOptions, prefix: string, last: string): number {
  let count = -1;
  for (const _ of source(call, options).entries(prefix, last)) count++;
  return count;
}
