import type { Kind } from "../../apimachinery/kind.ts";
import type { Named } from "../../apimachinery/meta.ts";
import { isNotFound } from "../../apimachinery/status.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { DiscoveredKind } from "../../client/discovery/discover-all.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import {
  CatalogSourceKind,
  copiedLabel,
  CsvKind,
  OperatorGroupKind,
  SubscriptionKind,
} from "../../client/manifests/olm-kinds.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { objectTitle, type Doomed } from "./await-gone.ts";
import { instead, type OlmHost } from "./olm-host.ts";

/** The kinds of users' objects that go with OLM's CRDs; OLM makes the others from them. */
export const userKinds: readonly Kind[] = [SubscriptionKind, CsvKind, CatalogSourceKind, OperatorGroupKind];

/**
 * Returns the objects of other owners that would be deleted with OLM: objects of its kinds in all namespaces, and all
 * objects in the namespaces of the release. Leaves out objects whose owner is among them.
 */
export async function usersOfOlm(
  { client }: OlmHost,
  release: readonly Manifest[],
  served: readonly DiscoveredKind[],
): Promise<Doomed[]> {
  const own = new Set(release.map(({ object }) => objectTitle(object.kind, object)));
  const namespaces = release
    .filter(({ object }) => object.kind === "Namespace")
    .map(({ object }) => object.metadata.name);
  const crds = new Set((await client.list(CustomResourceDefinition)).items.map(({ metadata }) => metadata.name));
  const list = async (kind: Kind, namespace?: string): Promise<Doomed[]> => {
    const { items } = await client.list(kind, { namespace }).catch(instead(isGone, { items: [] }));
    const isCustomResource = kind.group !== CsvKind.group && crds.has(`${kind.plural}.${kind.group}`);
    return items.map((object) => ({ kind, object, ...(isCustomResource && { isCustomResource }) }));
  };
  const others = served
    .filter(({ kind, verbs }) => kind.scope === "Namespaced" && verbs.includes("delete") && verbs.includes("list"))
    .filter(({ kind }) => kind.kind !== "Event" && !userKinds.some(({ kind: name }) => name === kind.kind))
    .flatMap(({ kind }) => namespaces.map((namespace) => list(kind, namespace)));
  const all = (await Promise.all([...userKinds.map((kind) => list(kind)), ...others])).flat();
  const uids = new Set(all.map(({ object }) => object.metadata.uid));
  const isOwned = ({ metadata }: Named): boolean => metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) ?? false;
  return all.filter(
    ({ kind, object }) => !own.has(objectTitle(kind.kind, object)) && !isOwned(object) && !isMadeBySystem(kind, object),
  );
}

/** Reports whether a CRD is absent, or has gone between two requests. */
function isGone(error: unknown): boolean {
  return isKindNotServed(error) || isNotFound(error);
}

/** Reports whether a controller of Kubernetes makes such an object in each namespace, or OLM makes it as a copy. */
function isMadeBySystem({ kind }: Kind, { metadata }: Named): boolean {
  const { name, labels = {} } = metadata;
  return (
    (kind === "ConfigMap" && name === "kube-root-ca.crt") ||
    (kind === "ServiceAccount" && name === "default") ||
    labels["endpoints.kubernetes.io/managed-by"] !== undefined ||
    labels[copiedLabel] !== undefined
  );
}
