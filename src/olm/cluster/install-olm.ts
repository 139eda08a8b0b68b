import type { Kind } from "../../apimachinery/kind.ts";
import type { Named, ObjectKey, UnstructuredObject } from "../../apimachinery/meta.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CustomResourceDefinition, isCrd, untilCrdsServed } from "../../manifests/install-crds.ts";
import { CatalogSourceKind, CsvKind, SubscriptionKind, type CsvObject } from "../../manifests/olm-kinds.ts";
import type { Manifest } from "../../manifests/read-manifests.ts";
import { describeDeployment } from "./describe-deployment.ts";
import { poll, type OlmHost } from "./olm-host.ts";

const fieldOwner = "tsop";

/** Applies a release of OLM, and waits until it works. What is there already is completed. */
export async function installOlm(host: OlmHost, release: readonly Manifest[]): Promise<void> {
  const deadline = Date.now() + host.timeoutMs;
  const { client } = host;
  const objects = release.map(({ object }) => object);
  const crds = objects.filter(isCrd);
  for (const crd of crds) await apply(host, CustomResourceDefinition, crd);
  await untilCrdsServed(client, crds, { signal: host.signal });
  for (const object of objects.filter((each) => !isCrd(each)))
    await apply(host, await client.kindFor(object.apiVersion ?? "", object.kind ?? ""), object);
  for (const { metadata } of objects.filter(({ kind }) => kind === "Deployment"))
    await awaitDeployment(host, { namespace: metadata.namespace, name: metadata.name ?? "" }, deadline);
  for (const { metadata } of objects.filter(({ kind }) => kind === CsvKind.kind))
    await awaitCsv(host, { namespace: metadata.namespace, name: metadata.name ?? "" }, deadline);
}

async function apply({ client, emit }: OlmHost, kind: Kind, object: UnstructuredObject): Promise<void> {
  const { name = "" } = object.metadata;
  await client.apply(kind, { ...object, metadata: { ...object.metadata, name } }, { fieldOwner, force: true });
  emit(`${kind.plural}/${name} applied`);
}

async function awaitDeployment(host: OlmHost, key: ObjectKey, deadline: number): Promise<void> {
  host.emit(`waiting for deployment ${key.name}`);
  const problems = () => describeDeployment({ client: host.client, namespace: key.namespace ?? "" }, key.name);
  await poll(host, deadline, {
    ask: async () => ((await problems()).length === 0 ? true : undefined),
    explain: async () =>
      new TsopError("TSOP_OLM_TIMEOUT", { what: `deployment ${key.name}`, state: (await problems()).join("\n  ") }),
  });
}

async function awaitCsv(host: OlmHost, key: ObjectKey, deadline: number): Promise<void> {
  host.emit(`waiting for ${key.name}`);
  const find = (): Promise<Named<CsvObject> | undefined> => host.client.getOrUndefined(CsvKind, key);
  await poll(host, deadline, {
    ask: async () => ((await find())?.status?.phase === "Succeeded" ? true : undefined),
    async explain() {
      const { phase = "no phase", message = "OLM has not looked at it" } = (await find())?.status ?? {};
      return new TsopError("TSOP_OLM_TIMEOUT", { what: key.name, state: `${phase}: ${message}` });
    },
  });
}

export interface ReleaseRow {
  readonly name: string;
  readonly namespace: string;
  readonly kind: string;
  readonly status: string;
}

/** Returns the state of each object of a release. */
export async function olmStatus(host: OlmHost, release: readonly Manifest[]): Promise<ReleaseRow[]> {
  const rows = release.map(async ({ object }): Promise<ReleaseRow> => {
    const { name = "", namespace = "" } = object.metadata;
    const found = await find(host, object);
    return { name, namespace, kind: object.kind ?? "", status: found ? stateOf(found) : "Absent" };
  });
  return Promise.all(rows);
}

function stateOf(object: UnstructuredObject): string {
  if (object.metadata.deletionTimestamp) return "Terminating";
  if (object.kind !== CsvKind.kind) return "Installed";
  return (object as unknown as CsvObject).status?.phase ?? "Installed";
}

/** Finds the object of a manifest; none if its kind is not served, as after its CRD is gone. */
async function find({ client }: OlmHost, { apiVersion = "", kind = "", metadata }: UnstructuredObject) {
  try {
    const served = await client.kindFor(apiVersion, kind);
    return await client.getOrUndefined(served, { namespace: metadata.namespace, name: metadata.name ?? "" });
  } catch (error) {
    if (isKindNotServed(error)) return undefined;
    throw error;
  }
}

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
    const found = await find(host, object);
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
