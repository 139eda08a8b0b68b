import { defineKind, parseApiVersion, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ApiCaller } from "../calls/api-caller.ts";
import type { CallOptions } from "../client.ts";

interface ResourceList {
  readonly resources?: readonly Resource[];
}

interface Resource {
  /** `things`, or `things/status` for a subresource. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Returns the kinds of an `apiVersion`. Throws `isKindNotServed` for `kind` if the server does not serve it. */
export async function discoverGroupVersion(
  caller: ApiCaller,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  { signal }: CallOptions = {},
): Promise<Kind<UnstructuredObject>[]> {
  const { group, version } = parseApiVersion(apiVersion);
  const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const asked = unknownKind(apiVersion, kind);
  const { resources = [] } = (await caller.call({ method: "GET", path, kind: asked, signal })) as ResourceList;
  const subresourcesOf = (own: string): string[] =>
    resources.flatMap(({ name }) => (name.startsWith(own) ? [name.slice(own.length)] : []));
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) =>
      defineKind({
        group,
        version,
        kind: resource.kind,
        plural: resource.name,
        scope: resource.namespaced ? "Namespaced" : "Cluster",
        subresources: subresourcesOf(`${resource.name}/`),
      }),
    );
}

/** Returns a placeholder for an undiscovered kind, for errors only; its plural is a guess. */
export function unknownKind(apiVersion: string, kind: string): Kind<UnstructuredObject> {
  return defineKind({ ...parseApiVersion(apiVersion), kind, plural: `${kind.toLowerCase()}s` });
}

interface ApiGroup {
  readonly versions?: readonly { readonly groupVersion: string }[];
  readonly preferredVersion?: { readonly groupVersion: string };
}

/** Returns the apiVersions of a group, the preferred one first. `kind` is for errors. */
export async function discoverVersions(
  caller: ApiCaller,
  { group, kind }: { readonly group: string; readonly kind: string },
  { signal }: CallOptions = {},
): Promise<readonly [string, ...string[]]> {
  // The core group has one version and will not get another.
  if (!group) return ["v1"];
  const asked = defineKind({ group, version: "*", kind, plural: `${kind.toLowerCase()}s` });
  const answer = (await caller.call({ method: "GET", path: `/apis/${group}`, kind: asked, signal })) as ApiGroup;
  const versions = (answer.versions ?? []).map(({ groupVersion }) => groupVersion);
  const preferred = answer.preferredVersion?.groupVersion ?? versions[0] ?? `${group}/v1`;
  return [preferred, ...versions.filter((version) => version !== preferred)];
}
