import { setTimeout as wait } from "node:timers/promises";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { isForbidden, isNotFound } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { isKindNotServed } from "../calls/api-caller.ts";
import type { Client } from "../client.ts";

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
export async function migrateByServer(
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
