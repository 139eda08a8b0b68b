import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";
import { connectPaths } from "./connect-paths.ts";
import { describeOperation, type Target } from "./describe-operation.ts";
import { methods, type PathItem } from "./operation.ts";
import { findParameter, nameParameter, sortParameters, type Parameter } from "./parameters.ts";
import { builtinVerbs, customVerbs, watchVerbs, type Verb } from "./verbs.ts";

/** Returns the paths of resources. Client generators write a function for each operation. */
export function openApiPaths(resources: readonly ServedResource[]): Record<string, PathItem> {
  return Object.assign({}, ...resources.map(resourcePaths)) as Record<string, PathItem>;
}

function resourcePaths(resource: ServedResource): Record<string, PathItem> {
  const { group, version, plural, namespaced, verbs, subresources, custom } = resource;
  const table = custom ? customVerbs : builtinVerbs;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = namespaced ? "namespaces/{namespace}/" : "";
  const collection = `${root}/${within}${plural}`;
  const own = { resource, inNamespace: namespaced };
  const paths: Record<string, PathItem> = { [collection]: pathItem(table.collection, { ...own, verbs }) };
  if (verbs.includes("get")) {
    const single = verbs.filter((name) => name !== "create");
    paths[`${collection}/{name}`] = pathItem(table.item, { ...own, named: true, verbs: single });
  }
  for (const subresource of subresources)
    Object.assign(paths, subresourcePaths(`${collection}/{name}/${subresource.name}`, resource, subresource));
  if (namespaced && verbs.includes("list"))
    paths[`${root}/${plural}`] = pathItem(table.collection.slice(0, 1), { resource, verbs });
  if (custom || !verbs.includes("watch")) return paths;
  const watched = `${root}/watch/${within}${plural}`;
  paths[watched] = pathItem([watchVerbs.collection], { ...own, verbs });
  paths[`${watched}/{name}`] = pathItem([watchVerbs.item], { ...own, named: true, verbs });
  paths[`${root}/watch/${plural}`] = pathItem([watchVerbs.collection], { resource, verbs });
  return paths;
}

function subresourcePaths(
  path: string,
  resource: ServedResource,
  subresource: ServedSubresource,
): Record<string, PathItem> {
  const { namespaced, custom } = resource;
  if (subresource.kind.endsWith("Options")) return connectPaths(path, resource, subresource);
  const { item } = custom ? customVerbs : builtinVerbs;
  const target = { resource, subresource, inNamespace: namespaced, named: true, verbs: subresource.verbs };
  return { [path]: pathItem(item, target) };
}

/** Returns the operations of a path; parameters that all of them have belong to the path. */
function pathItem(table: readonly Verb[], target: Target & { readonly verbs: readonly string[] }): PathItem {
  const served = table.filter((verb) => target.verbs.includes(verb.name));
  const operations = new Map(served.map((verb) => [verb.method, describeOperation(verb, target)]));
  const shared = served.length === 1 ? (operations.get(served[0]!.method)?.parameters ?? []) : [];
  const { resource, subresource, inNamespace = false, named = false } = target;
  const inPath = [
    findParameter("pretty"),
    ...(named ? [nameParameter(resource.custom ? resource.kind : (subresource?.kind ?? resource.kind))] : []),
    ...(inNamespace ? [findParameter("namespace")] : []),
  ];
  return itemOf(operations, shared, inPath);
}

type Operations = ReadonlyMap<Verb["method"], ReturnType<typeof describeOperation>>;

function itemOf(operations: Operations, shared: readonly Parameter[], inPath: readonly Parameter[]): PathItem {
  const entries = methods.flatMap((method) => {
    const found = operations.get(method as Verb["method"]);
    if (!found) return [];
    const { parameters = [], ...operation } = found;
    const own = parameters.length > 0 && shared.length === 0;
    return [[method, { ...operation, ...(own && { parameters: sortParameters(parameters) }) }]];
  });
  return { ...Object.fromEntries(entries), parameters: sortParameters([...inPath, ...shared]) } as PathItem;
}
