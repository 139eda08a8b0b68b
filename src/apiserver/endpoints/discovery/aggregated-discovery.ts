import { createHash } from "node:crypto";
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

/** Renders the `APIGroupDiscoveryList` of `/api` ("core") or `/apis` ("groups"). */
export function aggregatedDiscovery(scope: "core" | "groups", resources: readonly ServedResource[]): DiscoveryDocument {
  const groups = groupNames(resources).filter((group) => (group === "") === (scope === "core"));
  const body = JSON.stringify({
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => groupDiscovery(group, resources)),
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
