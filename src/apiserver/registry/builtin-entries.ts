import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { newAutoscalerOf, oldAutoscalerOf } from "./autoscaler-views.ts";
import { builtinRows } from "./builtin-rows.ts";
import { builtinStrategy } from "./builtin-strategies.ts";
import { coreEventOf, eventOf } from "./event-views.ts";
import type { ResourceEntry } from "./resource-entry.ts";
import type { ServedResource } from "./served-resource.ts";

/** The entries of all built-in resources. */
export function builtinEntries(): ResourceEntry[] {
  return builtinRows().map(({ resource, type }) => ({
    resource,
    strategy: builtinStrategy(resource),
    type,
    ...viewOf(resource),
  }));
}

/** Where objects are kept, and how this resource shows them, if it is only another view of them. */
function viewOf({ group, version, plural }: ServedResource): Pick<ResourceEntry, "storage" | "read" | "write"> {
  if (group === "events.k8s.io") return { storage: { group: "", plural: "events" }, read: eventOf, write: coreEventOf };
  const storage = { group, plural };
  return group === "autoscaling" && version === "v1"
    ? { storage, read: oldAutoscalerOf, write: newAutoscalerOf }
    : { storage, read: same, write: same };
}

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}
