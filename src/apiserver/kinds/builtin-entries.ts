import { loadBuiltins, type Builtins } from "../../apimachinery/builtin/load-builtins.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { builtinRows } from "../registry/builtin-rows.ts";
import type { ResourceEntry } from "../registry/served-resource.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { storageKey, type Store } from "../storage/store.ts";
import { kindOf } from "./kinds.ts";

/** Returns the entries of all built-in resources. */
export function builtinEntries(builtins: Builtins = loadBuiltins()): ResourceEntry[] {
  return builtinRows(builtins).map(({ resource, type }) => {
    const strategy = kindOf(resource, builtins.version);
    const { group, plural } = resource;
    return { resource, strategy, type, storage: { group, plural }, read: same, write: same, ...strategy.view };
  });
}

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}

interface SeedOptions {
  readonly uid: () => string;
  readonly now: string;
}

/** Creates the objects that every cluster has, unless they exist. */
export function seedObjects(store: Store, registry: ResourceRegistry, { uid, now }: SeedOptions): void {
  for (const { resource, storage } of registry.entries())
    for (const { metadata, ...content } of kindOf(resource).seeds?.(now, (group) => registry.isBuiltinGroup(group)) ??
      []) {
      const collection = store.collection(storage);
      const key = storageKey(metadata.namespace, metadata.name ?? "");
      const object = { ...content, metadata: { ...metadata, uid: uid(), creationTimestamp: now } };
      if (!collection.get(key)) store.commit(collection, key, { previous: undefined, object });
    }
}
