import type { AggregatedVersion, ExtensionResource } from "../../registry/resource-registry.ts";

/** Describes a version of an extension server from its APIResourceList; one that can't be asked is stale. */
export function extensionVersion({ version, extension }: AggregatedVersion): object {
  if (!extension) return { version, freshness: "Stale" };
  const { resources } = extension;
  const described = resources.filter(({ name }) => !name.includes("/")).map((each) => describe(each, resources));
  return { version, resources: described, freshness: "Current" };
}

function describe(resource: ExtensionResource, all: readonly ExtensionResource[]): object {
  const { name, singularName = "", namespaced = false, verbs = [], shortNames = [], categories = [] } = resource;
  const subresources = all
    .filter((each) => each.name.startsWith(`${name}/`))
    .map((each) => ({
      subresource: each.name.slice(name.length + 1),
      responseKind: kindOf(each),
      verbs: each.verbs ?? [],
    }));
  return {
    resource: name,
    responseKind: kindOf(resource),
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singularName,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

/** A list leaves out the group and version of its own. */
function kindOf({ group = "", version = "", kind }: ExtensionResource): object {
  return { group, version, kind };
}
