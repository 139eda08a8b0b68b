import type { Store } from "../storage/store.ts";
import { storageKey } from "../storage/store.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { kindOf } from "./kinds.ts";

interface SeedOptions {
  readonly uid: () => string;
  readonly now: string;
}

/** Creates the objects that every cluster has, unless they exist. */
export function seedObjects(store: Store, registry: ResourceRegistry, { uid, now }: SeedOptions): void {
  for (const { resource, storage } of registry.entries())
    for (const { metadata, ...content } of kindOf(resource).seeds?.(now) ?? []) {
      const collection = store.collection(storage);
      const key = storageKey(metadata.namespace, metadata.name ?? "");
      const object = { ...content, metadata: { ...metadata, uid: uid(), creationTimestamp: now } };
      if (!collection.get(key)) store.commit(collection, key, { previous: undefined, object });
    }
}
