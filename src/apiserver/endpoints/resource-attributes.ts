import { parseFieldSelector } from "../../apimachinery/selectors.ts";
import type { ResourceAttributes } from "../access/authorization.ts";
import type { ResourceTarget } from "./resource-request.ts";

/** Returns the attributes by which a request is authorized, before anything is looked up. */
export function resourceAttributes(
  target: ResourceTarget,
  verb: string,
  query: URLSearchParams,
): Omit<ResourceAttributes, "user"> {
  const { group, version, plural: resource, subresource, watchPath } = target;
  // Older than selectors, `/watch/` in a path does not look at them.
  const { name = watchPath ? undefined : selectedName(verb, query) } = target;
  // A namespace belongs to itself: a RoleBinding in it may allow to read it.
  const namespace = group === "" && resource === "namespaces" ? target.name : target.namespace;
  return { verb, group, version, resource, subresource, namespace, name };
}

/** Returns the only object that a list or watch selects, so that rules with resource names cover it. */
function selectedName(verb: string, query: URLSearchParams): string | undefined {
  const text = query.get("fieldSelector");
  if (!text || (verb !== "list" && verb !== "watch")) return undefined;
  try {
    const isName = ({ field, operator }: { field: string; operator: string }): boolean =>
      field === "metadata.name" && operator === "=";
    return parseFieldSelector(text).find(isName)?.value;
  } catch {
    // The list refuses the selector.
    return undefined;
  }
}
