import type { Clock } from "../../apimachinery/clock.ts";
import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { storageKey, type Store } from "../storage/store.ts";
import { trackOwnUpdate } from "./managers.ts";

interface Server {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
}

/** Writes the status of an object in the server's own name. */
export function writeOwnStatus(
  { store, registry, clock }: Server,
  { group, version, plural }: Pick<ServedResource, "group" | "version" | "plural">,
  { previous, status }: { readonly previous: UnstructuredObject; readonly status: object },
): void {
  const after = { ...previous, status };
  const managedFields = trackOwnUpdate({
    schema: registry.find(group, version, plural)?.resource.schema(),
    before: previous,
    after,
    manager: "kube-apiserver",
    apiVersion: apiVersionOf({ group, version }),
    subresource: "status",
    now: timestamp(clock.now()),
  });
  const { namespace, name = "" } = previous.metadata;
  const object = { ...after, metadata: { ...after.metadata, managedFields } };
  store.commit(store.collection({ group, plural }), storageKey(namespace, name), { previous, object });
}
