import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";
import { kindOf, operationId } from "./describe-operation.ts";
import { joinWords, methods, responses, tagOf, type PathItem } from "./operation.ts";
import { findParameter, nameParameter, ownParameters, sortParameters } from "./parameters.ts";

/** Returns the paths of a subresource that is a connection, such as exec or a proxy. */
export function connectPaths(
  path: string,
  resource: ServedResource,
  subresource: ServedSubresource,
): Record<string, PathItem> {
  const target = { resource, subresource, inNamespace: resource.namespaced };
  const proxy = subresource.name === "proxy";
  const item = (suffix: string): PathItem => {
    const entries = methods
      .filter((method) => proxy || method === "get" || method === "post")
      .map((method) => [
        method,
        {
          tags: [tagOf(resource.group, resource.version)],
          description: `connect ${method.toUpperCase()} requests to ${subresource.name} of ${resource.kind}`,
          operationId: connectId(method) + suffix,
          responses: responses([200], ["*/*"], { type: "string" }),
          "x-kubernetes-action": "connect",
          "x-kubernetes-group-version-kind": kindOf(target),
        },
      ]);
    const parameters = [
      nameParameter(subresource.kind),
      ...(resource.namespaced ? [findParameter("namespace")] : []),
      ...ownParameters(`${resource.plural}/${subresource.name}`),
      ...(suffix === "" ? [] : [findParameter("path")]),
    ];
    return { ...Object.fromEntries(entries), parameters: sortParameters(parameters) } as PathItem;
  };
  return { [path]: item(""), ...(proxy && { [`${path}/{path}`]: item("WithPath") }) };

  /** The method stands behind the version: `connectCoreV1GetNamespacedPodExec`. */
  function connectId(method: string): string {
    const [start, rest] = [
      `connect${joinWords(["core", resource.version])}`,
      operationId("connect", target, "connect"),
    ];
    return start + joinWords([method]) + rest.slice(start.length);
  }
}
