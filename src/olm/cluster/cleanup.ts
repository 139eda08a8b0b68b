import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CustomResourceDefinition } from "../../manifests/install-crds.ts";
import {
  CatalogSourceKind,
  CsvKind,
  OperatorGroupKind,
  registryPodAnnotation,
  SubscriptionKind,
} from "../../manifests/olm-kinds.ts";
import { poll, requireOlm, type OlmHost } from "./olm-host.ts";
import { catalogName, operatorGroupName } from "./run-bundle.ts";

export interface CleanupOptions {
  readonly crds: boolean;
  readonly operatorGroups: boolean;
}

/** An object that cleanup deletes. */
export interface Doomed {
  readonly kind: Kind;
  readonly object: Named;
}

/** Returns what belongs to a package, in the order in which it is deleted. Finalizers of its resources need the operator. */
export async function planCleanup(host: OlmHost, packageName: string, options: CleanupOptions): Promise<Doomed[]> {
  const { client, namespace } = host;
  await requireOlm(host);
  const subscriptions = await client.list(SubscriptionKind, { namespace });
  const subscription = subscriptions.items.find(({ spec }) => spec.name === packageName);
  const { installedCSV, currentCSV } = subscription?.status ?? {};
  const names = [...new Set([currentCSV, installedCSV].filter((name) => name !== undefined))];
  const csvs = (await Promise.all(names.map((name) => client.getOrUndefined(CsvKind, { namespace, name })))).filter(
    (csv) => csv !== undefined,
  );
  const owned = new Set(
    csvs.flatMap(({ spec }) => (spec.customresourcedefinitions?.owned ?? []).map(({ name }) => name)),
  );
  const crds = await Promise.all(
    (options.crds ? [...owned] : []).map((name) => client.getOrUndefined(CustomResourceDefinition, { name })),
  );
  const name = subscription?.spec.source ?? catalogName(packageName);
  const catalog = await client.getOrUndefined(CatalogSourceKind, { namespace, name });
  // A catalog of others stays.
  const isOwn =
    catalog?.metadata.annotations?.[registryPodAnnotation] !== undefined || name === catalogName(packageName);
  const groups = await client.list(OperatorGroupKind, { namespace });
  const isLast = subscriptions.items.every((each) => each === subscription);
  const group = groups.items.find(({ metadata }) => metadata.name === operatorGroupName);
  const doomed = (kind: Kind, objects: readonly (Named | undefined)[]): Doomed[] =>
    objects.flatMap((object) => (object ? [{ kind, object }] : []));
  return [
    ...doomed(SubscriptionKind, [subscription]),
    ...doomed(CustomResourceDefinition, crds),
    ...doomed(CsvKind, csvs),
    ...doomed(CatalogSourceKind, isOwn ? [catalog] : []),
    ...doomed(OperatorGroupKind, options.operatorGroups && isLast ? [group] : []),
  ];
}

/** Deletes objects one after the other, each when the one before is gone. */
export async function cleanUp(host: OlmHost, doomed: readonly Doomed[]): Promise<void> {
  const deadline = Date.now() + host.timeoutMs;
  for (const { kind, object } of doomed) {
    const key = objectKey(object);
    const { uid } = object.metadata;
    await host.client
      .delete(kind, key, { propagationPolicy: "Background", ...(uid !== undefined && { preconditions: { uid } }) })
      .catch(ignoreNotFound);
    await poll(host, deadline, {
      async ask() {
        const found = await host.client.getOrUndefined(kind, key);
        return found?.metadata.uid === uid ? undefined : true;
      },
      async explain() {
        const found = await host.client.getOrUndefined(kind, key);
        const finalizers = found?.metadata.finalizers?.join(", ") ?? "";
        const state = `it waits for the finalizers ${finalizers || "of its dependents"}`;
        return new TsopError("TSOP_OLM_TIMEOUT", { what: `the end of ${kind.kind} ${object.metadata.name}`, state });
      },
    });
    host.emit(`${kind.plural}/${object.metadata.name} deleted`);
  }
}
