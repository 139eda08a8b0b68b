import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { builtinRows } from "../registry/builtin-rows.ts";
import type { ResourceEntry } from "../registry/resource-entry.ts";
import { withoutDisabledFields } from "./disabled-fields.ts";
import { kindOf } from "./kinds.ts";

/** Returns the entries of all built-in resources. */
export function builtinEntries(): ResourceEntry[] {
  return builtinRows().map(({ resource, type }) => {
    const strategy = withoutDisabledFields(kindOf(resource), resource);
    const { group, plural } = resource;
    return { resource, strategy, type, storage: { group, plural }, read: same, write: same, ...strategy.view };
  });
}

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}
