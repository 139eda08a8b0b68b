import type { ServedResource } from "../../registry/served-resource.ts";
import {
  describeConnection,
  describeOperation,
  ofCollection,
  ofObject,
  pathParameters,
  type Method,
  type Operation,
  type Parameter,
  type Target,
  type Use,
} from "./operations.ts";

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & { readonly parameters?: readonly Parameter[] };

/** Returns the paths of resources. Client generators write a function for each operation. */
export function openApiPaths(resources: readonly ServedResource[]): Record<string, PathItem> {
  return Object.assign({}, ...resources.map(resourcePaths)) as Record<string, PathItem>;
}

function resourcePaths(resource: ServedResource): Record<string, PathItem> {
  const { group, version, plural, namespaced: inNamespace, verbs, subresources } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}/${inNamespace ? "namespaces/{namespace}/" : ""}${plural}`;
  const names = inNamespace ? ["namespace"] : [];
  const own = { resource, inNamespace };
  const paths: Record<string, PathItem> = {
    [collection]: { ...operations(ofCollection, verbs, own), parameters: pathParameters(names) },
  };
  const parameters = pathParameters(["name", ...names]);
  if (verbs.includes("get")) {
    const single = verbs.filter((verb) => verb !== "create");
    paths[`${collection}/{name}`] = { ...operations(ofObject, single, own), parameters };
  }
  for (const subresource of subresources) {
    if (subresource.name === "proxy") continue;
    const target = { ...own, subresource };
    const item = subresource.kind.endsWith("Options")
      ? { get: describeConnection("get", target), post: describeConnection("post", target) }
      : operations(ofObject, subresource.verbs, target);
    paths[`${collection}/{name}/${subresource.name}`] = { ...item, parameters };
  }
  if (inNamespace && verbs.includes("list"))
    paths[`${root}/${plural}`] = {
      ...operations(ofCollection, ["list"], { resource }),
      parameters: pathParameters([]),
    };
  return paths;
}

function operations(
  uses: Readonly<Record<string, Use>>,
  verbs: readonly string[],
  target: Target,
): Partial<Record<Method, Operation>> {
  const served = Object.entries(uses).filter(([verb]) => verbs.includes(verb));
  return Object.fromEntries(served.map(([, use]) => [use.method, describeOperation(use, target)]));
}
