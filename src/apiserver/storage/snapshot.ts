import { freezeJson } from "../../apimachinery/freeze.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Store } from "./store.ts";

/** Everything that a server holds, as JSON. A store made of it starts with an empty history: older watches get 410. */
export interface Snapshot {
  readonly format: 1;
  readonly revision: number;
  /** By `group/plural`, then by key. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, UnstructuredObject>>>>;
  /** What tokens are signed with, in base64. */
  readonly tokenKey?: string;
}

/** The state at this moment. Objects are shared, and frozen. */
export function takeSnapshot(store: Store): Snapshot {
  const collections = [...store.collections()].filter(([, collection]) => collection.size > 0);
  const objects = collections.map(([id, collection]) => [id, Object.fromEntries(collection.entries(""))] as const);
  return { format: 1, revision: store.revision, objects: Object.fromEntries(objects) };
}

/** Fills an empty store; its first write gets a later revision than anything the snapshot has seen. */
export function restoreSnapshot(store: Store, { revision, objects }: Snapshot): void {
  store.restore(revision);
  for (const [id, entries] of Object.entries(objects)) {
    const slash = id.lastIndexOf("/");
    const collection = store.collection({ group: id.slice(0, slash), plural: id.slice(slash + 1) });
    for (const [key, object] of Object.entries(entries)) collection.restore(key, freezeJson(object));
  }
}
