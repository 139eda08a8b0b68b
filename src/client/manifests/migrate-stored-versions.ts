import { metadataOnly, defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject, KubeObject } from "../../apimachinery/meta.ts";
import { isConflict, isNotFound, isForbidden } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { CustomResourceDefinition as Crd } from "../../apimachinery/crd/crd-types.ts";
import type { Client } from "../client.ts";
import { kindsOfCrd } from "../discovery/crd-kinds.ts";
import { mergePatch } from "../patches.ts";
import { CustomResourceDefinition } from "./install-crds.ts";
import { setTimeout as wait } from "node:timers/promises";
import { isKindNotServed } from "../calls/api-caller.ts";

/** The versions in which objects of a CRD may be stored. */
export interface StoredVersions {
  /** The version in which objects are stored now. */
  readonly storage: string;
  /** Other versions in which objects were stored: the server does not let the CRD drop them. */
  readonly left: readonly string[];
}

/** Returns the versions in which objects of a CRD may be stored. */
export function storedVersionsOf({ spec, status }: Pick<Crd, "spec" | "status">): StoredVersions {
  const storage = spec.versions.find((version) => version.storage)?.name ?? "";
  return { storage, left: (status?.storedVersions ?? []).filter((name) => name !== storage) };
}

/** Options of `migrateStoredVersions`. */
export interface MigrationOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each object that was written. */
  readonly onProgress?: ((written: number, total: number) => void) | undefined;
}

interface Key {
  readonly namespace?: string;
  readonly name: string;
}

/** The objects that are written at the same time. */
const width = 10;

/**
 * Stores all objects of a CRD in its storage version, and then removes the other versions from `status.storedVersions`,
 * so that the next release of the CRD may drop them. Returns the number of objects. A cluster that serves
 * `storagemigration.k8s.io/v1` does the work itself, if the client may create such a migration; otherwise, each object is
 * written as it is. An object that the server refuses ends the migration, and no version is removed.
 *
 * @example
 * // On the leader, when the operator starts.
 * mgr.add(async (signal) => {
 *   await migrateStoredVersions(mgr.client, "memcacheds.cache.example.com", { signal });
 * });
 */
export async function migrateStoredVersions(
  client: Client,
  name: string,
  { signal, onProgress }: MigrationOptions = {},
): Promise<number> {
  for (let written = 0; ;) {
    const crd = await readCrd(client, name, signal);
    const { storage, left } = storedVersionsOf(crd as unknown as Crd);
    // The cluster may have removed the versions itself.
    if (left.length === 0) return written;
    const kinds = kindsOfCrd(crd);
    const kind = kinds.find(({ version }) => version === storage) ?? kinds[0];
    if (!kind) throw new TsopError("TSOP_CRD_UNSERVED", { name });
    const keys: Key[] = [];
    for await (const { metadata } of client.listEach(metadataOnly(kind), { signal }))
      keys.push({ name: metadata.name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) });
    if (!(await migrateByServer(client, kind, signal))) await rewriteAll(client, kind, keys, { signal, onProgress });
    written = keys.length;
    if (await setStored(client, crd, storage, signal)) return written;
  }
}

/** Writes objects, several at the same time. */
async function rewriteAll(
  client: Client,
  kind: Kind,
  keys: readonly Key[],
  { signal, onProgress }: MigrationOptions,
): Promise<void> {
  let written = 0;
  const queue = keys.values();
  const work = async (): Promise<void> => {
    for (const key of queue) {
      await rewrite(client, kind, key, signal);
      onProgress?.(++written, keys.length);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}

/** Reads a CRD from the server: a cache need not have CRDs. */
async function readCrd(client: Client, name: string, signal: AbortSignal | undefined): Promise<UnstructuredObject> {
  const fields = { "metadata.name": name };
  for await (const crd of client.listEach(CustomResourceDefinition, { fields, signal })) return crd;
  throw new TsopError("TSOP_CRD_ABSENT", { name });
}

/** Writes an object as it is: the server stores it in the storage version. */
async function rewrite(client: Client, kind: Kind, key: Key, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.patch(kind, key, mergePatch({}), { signal });
  } catch (error) {
    if (isNotFound(error)) return;
    signal?.throwIfAborted();
    const object = `${kind.plural}.${kind.group} ${key.namespace === undefined ? "" : `${key.namespace}/`}${key.name}`;
    throw new TsopError("TSOP_MIGRATION_REFUSED", { object, reason: (error as Error).message }, { cause: error });
  }
}

/** Notes that objects are stored in one version; returns false if the CRD has changed since. */
async function setStored(
  client: Client,
  crd: UnstructuredObject,
  storage: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const status = { ...(crd["status"] as object), storedVersions: [storage] };
  try {
    await client.status.update(CustomResourceDefinition, { ...crd, status }, { signal });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

interface Migration extends KubeObject {
  readonly spec?: { readonly resource: { readonly group: string; readonly resource: string } };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

const StorageVersionMigration: Kind<Migration> = defineKind({
  group: "storagemigration.k8s.io",
  version: "v1",
  kind: "StorageVersionMigration",
  plural: "storageversionmigrations",
  scope: "Cluster",
});

/** The time in which the controller of a cluster takes up a migration. */
const patienceMs = 10_000;
const intervalMs = 250;

/**
 * Lets the cluster store all objects of a kind in its storage version. Returns false if the cluster has no such
 * migrations, nobody takes this one up, or the client may not create it.
 */
async function migrateByServer(
  client: Client,
  { group, plural }: Pick<Kind, "group" | "plural">,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const wanted: Migration = {
    metadata: { generateName: `${plural}-` },
    spec: { resource: { group, resource: plural } },
  };
  const created = await client.create(StorageVersionMigration, wanted, { signal }).catch((error: unknown) => {
    if (isKindNotServed(error) || isForbidden(error) || isNotFound(error)) return undefined;
    throw error;
  });
  if (!created) return false;
  const key = { name: created.metadata.name };
  try {
    return await untilMigrated(client, key, { plural, group, signal });
  } finally {
    await client.delete(StorageVersionMigration, key).catch(() => {});
  }
}

async function untilMigrated(
  client: Client,
  key: { readonly name: string },
  { plural, group, signal }: Pick<Kind, "group" | "plural"> & { readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const { status } = await client.get(StorageVersionMigration, key, { signal });
    const conditions = status?.conditions ?? [];
    const isTrue = (type: string) => conditions.find((each) => each.type === type && each.status === "True");
    if (isTrue("Succeeded")) return true;
    const failed = isTrue("Failed");
    if (failed)
      throw new TsopError("TSOP_MIGRATION_REFUSED", {
        object: `${plural}.${group}`,
        reason: failed.message ?? "it failed",
      });
    if (conditions.length === 0 && Date.now() > end) return false;
    await wait(intervalMs, undefined, { signal });
  }
}
