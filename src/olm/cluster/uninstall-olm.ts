import type { Kind } from "../../apimachinery/kind.ts";
import type { Named, UnstructuredObject } from "../../apimachinery/meta.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { isCrd } from "../../manifests/install-crds.ts";
import { CatalogSourceKind, CsvKind, SubscriptionKind } from "../../manifests/olm-kinds.ts";
import type { Manifest } from "../../manifests/read-manifests.ts";
import { poll, type OlmHost } from "./olm-host.ts";
import { findOfManifest } from "./olm-status.ts";

/** Returns the operators and catalogs that would go with OLM, which are not its own. */
export async function usersOfOlm({ client }: OlmHost, release: readonly Manifest[]): Promise<string[]> {
  const own = new Set(
    release.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`),
  );
  const lists = await Promise.all(
    ([SubscriptionKind, CsvKind, CatalogSourceKind] as readonly Kind[]).map(async (kind) => {
      const { items } = await client.list(kind).catch((error: unknown) => {
        if (isKindNotServed(error)) return { items: [] };
        throw error;
      });
      return items.map(({ metadata }) => `${kind.kind} ${metadata.namespace}/${metadata.name}`);
    }),
  );
  return lists.flat().filter((name) => !own.has(name));
}

/** Time for OLM to run the finalizers of its objects; then they are removed. */
const finalizerMs = 5_000;

/** Deletes a release: what OLM manages while it works, then OLM, its CRDs, and its namespaces at the end. */
export async function uninstallOlm(host: OlmHost, release: readonly Manifest[]): Promise<void> {
  const deadline = Date.now() + host.timeoutMs;
  for (const kind of [SubscriptionKind, CsvKind, CatalogSourceKind] as readonly Kind[])
    await removeAll(host, kind, deadline);
  const objects = release.map(({ object }) => object);
  const rank = (object: UnstructuredObject): number => (object.kind === "Namespace" ? 2 : isCrd(object) ? 1 : 0);
  for (const object of objects.toSorted((a, b) => rank(a) - rank(b))) {
    const found = await findOfManifest(host, object);
    if (!found) continue;
    const kind = await host.client.kindFor(object.apiVersion ?? "", object.kind ?? "");
    await remove(host, kind, found, deadline);
  }
}

async function removeAll(host: OlmHost, kind: Kind, deadline: number): Promise<void> {
  const list = async () =>
    (
      await host.client.list(kind).catch((error: unknown) => {
        if (isKindNotServed(error)) return { items: [] };
        throw error;
      })
    ).items;
  for (const object of await list()) await remove(host, kind, object, deadline);
}

async function remove(host: OlmHost, kind: Kind, object: Named, deadline: number): Promise<void> {
  const { client } = host;
  const { namespace, name, uid } = object.metadata;
  const key = { namespace, name };
  await client.delete(kind, key, { propagationPolicy: "Background" }).catch(ignoreNotFound);
  const isOurs = kind.group === CsvKind.group;
  const giveUp = Date.now() + finalizerMs;
  await poll(host, deadline, {
    async ask() {
      const found = await client.getOrUndefined(kind, key);
      if (found?.metadata.uid !== uid) return true;
      // An OLM that does not run removes no finalizers.
      if (isOurs && found?.metadata.finalizers?.length && Date.now() > giveUp)
        await client.patch(kind, key, mergePatch({ metadata: { finalizers: null } })).catch(ignoreNotFound);
      return undefined;
    },
    async explain() {
      const found = await client.getOrUndefined(kind, key);
      const finalizers = found?.metadata.finalizers?.join(", ") || "none";
      return new TsopError("TSOP_OLM_TIMEOUT", {
        what: `the end of ${kind.kind} ${name}`,
        state: `finalizers: ${finalizers}`,
      });
    },
  });
  host.emit(`${kind.plural}/${name} deleted`);
}
