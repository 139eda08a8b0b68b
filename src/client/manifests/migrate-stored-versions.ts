import { metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isConflict, isNotFound } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { CustomResourceDefinition as Crd } from "../../apimachinery/crd/crd-types.ts";
import type { Client } from "../client.ts";
import { kindsOfCrd } from "../discovery/crd-kinds.ts";
import { mergePatch } from "../patches.ts";
import { CustomResourceDefinition } from "./install-crds.ts";
import { migrateByServer } from "./server-migration.ts";

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
