import { defineKind, type Kind } from "../apimachinery/kind.ts";
import { ApiError, failure } from "../apimachinery/status.ts";
import type { Transport } from "../client/transport.ts";

/** A kind that a server serves, in the version it prefers, with the verbs it allows. */
export interface DiscoveredKind {
  readonly kind: Kind;
  readonly verbs: readonly string[];
}

/** Asks a server for everything it serves. Each resource appears once for each of its versions, preferred ones first. */
export async function discoverKinds(transport: Transport, signal?: AbortSignal): Promise<DiscoveredKind[]> {
  const [core, groups] = await Promise.all(["/api", "/apis"].map((path) => groupList(transport, path, signal)));
  return [...core!, ...groups!].flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map((resource) => discoveredKind(metadata?.name ?? "", version, resource)),
    ),
  );
}

/** One row for each resource: the version that its group prefers. */
export function preferredKinds(kinds: readonly DiscoveredKind[]): DiscoveredKind[] {
  const first = new Map<string, DiscoveredKind>();
  for (const row of kinds) {
    const name = `${row.kind.plural}.${row.kind.group}`;
    if (!first.has(name)) first.set(name, row);
  }
  return [...first.values()];
}

interface ApiGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions: readonly { readonly version: string; readonly resources: readonly ApiResource[] }[];
}

interface ApiResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: "Namespaced" | "Cluster";
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

async function groupList(transport: Transport, path: string, signal?: AbortSignal): Promise<readonly ApiGroup[]> {
  const response = await transport.request({
    method: "GET",
    path,
    headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (response.status !== 200)
    throw new ApiError(failure("InternalError", `${path} answered ${response.status}: ${text}`));
  return (JSON.parse(text) as { items: readonly ApiGroup[] }).items;
}

function discoveredKind(group: string, version: string, resource: ApiResource): DiscoveredKind {
  const kind = defineKind({
    group,
    version,
    kind: resource.responseKind.kind,
    plural: resource.resource,
    scope: resource.scope,
    subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
  });
  return { kind, verbs: resource.verbs };
}
