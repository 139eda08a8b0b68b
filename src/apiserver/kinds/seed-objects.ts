import type { Store } from "../storage/store.ts";
import { storageKey } from "../storage/store.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { kindOf } from "./kinds.ts";

interface NewMeta {
  readonly uid: string;
  readonly creationTimestamp: string;
}

/** Creates the objects that every cluster has, unless they exist. */
export function seedObjects(store: Store, registry: ResourceRegistry, newMeta: () => NewMeta): void {
  for (const { resource, storage } of registry.entries())
    for (const { metadata, ...content } of kindOf(resource).seeds?.() ?? []) {
      const collection = store.collection(storage);
      const key = storageKey(metadata.namespace, metadata.name ?? "");
      const object = { ...content, metadata: { ...metadata, ...newMeta() } };
      if (!collection.get(key)) store.commit(collection, key, { previous: undefined, object });
    }
}
