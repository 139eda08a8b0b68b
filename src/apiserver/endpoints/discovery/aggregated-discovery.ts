import { createHash } from "node:crypto";
import type { AggregatedVersion, ExtensionResource } from "../../registry/resource-registry.ts";
import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";
import { groupNames, resourcesOf, versionsOf } from "./group-lists.ts";

/** A response that is ready to send; a request whose If-None-Match equals `etag` gets 304. */
export interface DiscoveryDocument {
  readonly contentType: string;
  readonly etag: string;
  readonly body: string;
}

/** The media type in Accept and in Content-Type. */
const aggregatedDiscoveryType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/**
 * Renders the `APIGroupDiscoveryList` of `/api` ("core") or `/apis` ("groups"). Versions of other servers are stale if
 * they cannot be asked.
 */
export function aggregatedDiscovery(
  scope: "core" | "groups",
  resources: readonly ServedResource[],
  aggregated: readonly AggregatedVersion[] = [],
): DiscoveryDocument {
  const groups = groupNames(resources).filter((group) => (group === "") === (scope === "core"));
  const body = JSON.stringify({
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: [
      ...groups.map((group) => groupDiscovery(group, resources)),
      ...(scope === "core" ? [] : remoteGroups(aggregated)),
    ],
  });
  const hash = createHash("sha512").update(body).digest("hex").toUpperCase();
  return { contentType: aggregatedDiscoveryType, etag: `"${hash}"`, body };
}

function groupDiscovery(group: string, resources: readonly ServedResource[]): object {
  return {
    metadata: group === "" ? {} : { name: group },
    versions: versionsOf(group, resources).map((version) => ({
      version,
      resources: resourcesOf(group, version, resources).map(resourceDiscovery),
      freshness: "Current",
    })),
  };
}

function remoteGroups(aggregated: readonly AggregatedVersion[]): object[] {
  const remote = aggregated.filter(({ isRemote }) => isRemote);
  return [...new Set(remote.map(({ group }) => group))].map((name) => {
    const versions = remote.filter(({ group }) => group === name);
    return { metadata: { name }, versions: versions.map(extensionVersion) };
  });
}

function resourceDiscovery(resource: ServedResource): object {
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: responseKind(resource, resource),
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((subresource) => ({
            subresource: subresource.name,
            responseKind: responseKind(resource, subresource),
            verbs: subresource.verbs,
          })),
        }
      : {}),
  };
}

/** Returns the kind of a response. Built-in kinds leave group and version empty if they are the resource's own. */
function responseKind(resource: ServedResource, shown: ServedResource | ServedSubresource): object {
  const ownGroup = resource.custom ? resource.group : "";
  const ownVersion = resource.custom ? resource.version : "";
  if (shown === resource) return { group: ownGroup, version: ownVersion, kind: resource.kind };
  return { group: shown.group ?? ownGroup, version: shown.version ?? ownVersion, kind: shown.kind };
}

/** Describes a version of an extension server from its APIResourceList; one that can't be asked is stale. */
function extensionVersion({ version, extension }: AggregatedVersion): object {
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
