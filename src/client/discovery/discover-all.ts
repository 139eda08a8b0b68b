import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { ApiCaller } from "../calls/api-caller.ts";
import { unknownKind } from "./discover-group-version.ts";

/** A kind that a server serves, with the verbs that it allows. */
export interface DiscoveredKind {
  readonly kind: Kind;
  readonly verbs: readonly string[];
}

/** Lists everything that a server serves: each resource once for each of its versions, the preferred one first. */
export async function discoverAll(caller: ApiCaller, signal?: AbortSignal): Promise<DiscoveredKind[]> {
  const [core, groups] = await Promise.all(["/api", "/apis"].map((path) => groupList(caller, path, signal)));
  return [...core!, ...groups!].flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources
        .filter(({ responseKind }) => responseKind?.kind)
        .map((resource) => discoveredKind(metadata?.name ?? "", version, resource)),
    ),
  );
}

/** Returns each resource once, in the version that its group prefers. */
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
  /** The server does not know the resources of an APIService that does not answer. */
  readonly versions: readonly { readonly version: string; readonly resources?: readonly ApiResource[] }[];
}

interface ApiResource {
  readonly resource: string;
  /** An APIService can have only subresources of a resource, such as KubeVirt's consoles. */
  readonly responseKind?: { readonly kind?: string } | null;
  readonly scope: "Namespaced" | "Cluster";
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

async function groupList(caller: ApiCaller, path: string, signal?: AbortSignal): Promise<readonly ApiGroup[]> {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const kind = unknownKind("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList");
  return ((await caller.call({ method: "GET", path, kind, accept, signal })) as { items: readonly ApiGroup[] }).items;
}

function discoveredKind(group: string, version: string, resource: ApiResource): DiscoveredKind {
  const kind = defineKind({
    group,
    version,
    kind: resource.responseKind!.kind!,
    plural: resource.resource,
    scope: resource.scope,
    subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
  });
  return { kind, verbs: resource.verbs };
}
