import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { ListOptions } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { isCrd } from "../../client/manifests/install-crds.ts";
import { CsvKind, SubscriptionKind } from "../../client/manifests/olm-kinds.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { awaitGone, type Doomed } from "./await-gone.ts";
import { cleanUp } from "./cleanup.ts";
import { labelledKinds, RoleBindingKind } from "./kinds.ts";
import { instead, type OlmHost } from "./olm-host.ts";
import { findOfManifest } from "./olm-status.ts";
import { userKinds } from "./olm-users.ts";

/** Time for OLM to run the finalizers of its objects; then they are removed. */
const finalizerMs = 5_000;

/**
 * Deletes a release and the objects of its users: custom resources while their operators run, OLM's own objects while it
 * works, its leftovers, then OLM, its CRDs, and its namespaces at the end. Returns false if nothing of it was there.
 */
export async function uninstallOlm(
  host: OlmHost,
  release: readonly Manifest[],
  users: readonly Doomed[],
): Promise<boolean> {
  const deadline = Date.now() + host.timeoutMs;
  // OLM installs an operator again while there is a Subscription.
  await cleanUp(host, [
    ...users.filter(({ kind }) => kind === SubscriptionKind),
    ...users.filter(({ isCustomResource }) => isCustomResource),
  ]);
  let count = users.length;
  const removeAll = async (doomed: readonly Doomed[]): Promise<void> => {
    count += doomed.length;
    await remove(host, doomed, deadline);
  };
  for (const kind of userKinds) await removeAll(await listAll(host, kind));
  const objects = release.map(({ object }) => object);
  const isNamespace = ({ kind }: UnstructuredObject): boolean => kind === "Namespace";
  const rest = objects.filter((object) => !isNamespace(object) && !isCrd(object));
  await removeRelease(host, rest, removeAll);
  // OLM has ended, and makes none of these again.
  for (const kind of labelledKinds) await removeAll(await listAll(host, kind, { labels: "olm.owner.kind" }));
  await removeAll(await authenticationReaders(host));
  await removeRelease(host, objects.filter(isCrd), removeAll);
  await removeRelease(host, objects.filter(isNamespace), removeAll);
  return count > 0;
}

async function removeRelease(
  host: OlmHost,
  manifests: readonly UnstructuredObject[],
  removeAll: (doomed: readonly Doomed[]) => Promise<void>,
): Promise<void> {
  for (const manifest of manifests) {
    const object = await findOfManifest(host, manifest);
    if (!object) continue;
    const kind = await host.client.kindFor(manifest.apiVersion ?? "", manifest.kind ?? "");
    await removeAll([{ kind, object }]);
  }
}

/**
 * Returns the bindings that let the servers of APIServices read how to authenticate; they have no label of their owner.
 */
async function authenticationReaders(host: OlmHost): Promise<Doomed[]> {
  const all = await listAll(host, RoleBindingKind, { namespace: "kube-system", labels: "olm.managed=true" });
  return all.filter(({ object }) => !object.metadata.ownerReferences);
}

async function listAll({ client }: OlmHost, kind: Kind, options: ListOptions = {}): Promise<Doomed[]> {
  const { items } = await client.list(kind, options).catch(instead(isKindNotServed, { items: [] }));
  return items.map((object) => ({ kind, object }));
}

/** Deletes objects, all at once, and waits until they are gone. */
async function remove(host: OlmHost, doomed: readonly Doomed[], deadline: number): Promise<void> {
  const { client } = host;
  for (const { kind, object } of doomed)
    await client.delete(kind, objectKey(object), { propagationPolicy: "Background" }).catch(ignoreNotFound);
  const giveUp = Date.now() + finalizerMs;
  for (const each of doomed) {
    const { kind, object } = each;
    const look = async ({ metadata }: Named): Promise<void> => {
      // An OLM that does not run removes no finalizers.
      if (kind.group !== CsvKind.group || !metadata.finalizers?.length || Date.now() < giveUp) return;
      const patch = mergePatch({ metadata: { finalizers: null } });
      await client.patch(kind, objectKey(object), patch).catch(ignoreNotFound);
    };
    await awaitGone(host, each, { deadline, look });
  }
}
