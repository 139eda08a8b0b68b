import { compareText } from "../../../apimachinery/compare-text.ts";
import { compareVersions } from "../../../apimachinery/compare-versions.ts";
import { groupPriority } from "../../kinds/apiregistration/api-service.ts";
import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";

/** Returns the response to `GET /api`; `serverAddress` is `host:port` as clients reach it. */
export function apiVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** A version of a group. */
type GroupVersion = Pick<ServedResource, "group" | "version">;

/** Returns the response to `GET /apis`: named groups by their priority. */
export function apiGroupList(resources: readonly GroupVersion[]): object {
  const groups = groupNames(resources).filter((group) => group !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => groupEntry(group, resources)) };
}

/**
 * Returns the response to `GET /apis/<group>`; `undefined` if no resource of the group is served (a plain-text 404).
 */
export function apiGroup(group: string, resources: readonly GroupVersion[]): object | undefined {
  if (group === "" || !resources.some((resource) => resource.group === group)) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...groupEntry(group, resources) };
}

/**
 * Returns the response to `GET /api/v1` and `GET /apis/<group>/<version>`; `undefined` if the version is not served.
 */
export function apiResourceList(
  group: string,
  version: string,
  resources: readonly ServedResource[],
): object | undefined {
  const served = resourcesOf(group, version, resources);
  if (served.length === 0) return undefined;
  const rows = served.flatMap((resource) => [
    resourceRow(resource),
    ...resource.subresources.map((subresource) => subresourceRow(resource, subresource)),
  ]);
  // A real server leaves apiVersion out of the core group's list.
  return group === ""
    ? { kind: "APIResourceList", groupVersion: version, resources: rows }
    : { kind: "APIResourceList", apiVersion: "v1", groupVersion: `${group}/${version}`, resources: rows };
}

/** Returns the groups by their priority, and by name: clients that meet a name in two groups take the first. */
export function groupNames(resources: readonly GroupVersion[]): string[] {
  const groups = [...new Set(resources.map((resource) => resource.group))];
  return groups.sort((a, b) => groupPriority(b) - groupPriority(a) || compareText(a, b));
}

/** Returns the versions of a group, preferred first. */
export function versionsOf(group: string, resources: readonly GroupVersion[]): string[] {
  const versions = resources.filter((resource) => resource.group === group).map((resource) => resource.version);
  return [...new Set(versions)].sort(compareVersions);
}

/** Returns the resources of a version, ordered by name. */
export function resourcesOf(group: string, version: string, resources: readonly ServedResource[]): ServedResource[] {
  return resources
    .filter((resource) => resource.group === group && resource.version === version)
    .sort((a, b) => compareText(a.plural, b.plural));
}

function groupEntry(group: string, resources: readonly GroupVersion[]): object {
  const versions = versionsOf(group, resources).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  const [preferredVersion] = versions;
  if (!preferredVersion) throw new RangeError(`no resource of group ${group} is served`);
  return { name: group, versions, preferredVersion };
}

function resourceRow(resource: ServedResource): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
  };
}

function subresourceRow(parent: ServedResource, subresource: ServedSubresource): object {
  const { name, group, version, kind, verbs } = subresource;
  return {
    name: `${parent.plural}/${name}`,
    singularName: "",
    namespaced: parent.namespaced,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    kind,
    verbs: [...verbs],
  };
}
