import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { builtinRows } from "./builtin-rows.ts";
import { builtinStrategy } from "./builtin-strategies.ts";
import type { ResourceEntry } from "./resource-entry.ts";

/** The entries of all built-in resources. */
export function builtinEntries(): ResourceEntry[] {
  return builtinRows().map((resource) => ({
    resource,
    strategy: builtinStrategy(resource),
    storage: resource,
    read: same,
    write: same,
  }));
}

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}
