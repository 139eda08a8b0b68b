import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { builtinRows } from "./builtin-rows.ts";
import { builtinStrategy } from "./builtin-strategies.ts";
import { coreEventOf, eventOf } from "./event-views.ts";
import type { ResourceEntry } from "./resource-entry.ts";

/** The entries of all built-in resources. */
export function builtinEntries(): ResourceEntry[] {
  return builtinRows().map(({ resource, type }) => ({
    resource,
    strategy: builtinStrategy(resource),
    type,
    ...(resource.group === "events.k8s.io"
      ? { storage: { group: "", plural: "events" }, read: eventOf, write: coreEventOf }
      : { storage: resource, read: same, write: same }),
  }));
}

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}
