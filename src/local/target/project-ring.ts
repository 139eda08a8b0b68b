import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "../../client/client.ts";
import { readManifests, type Manifest } from "../../client/manifests/read-manifests.ts";
import { place, type OperatorAccount } from "./operator-roles.ts";

/** The ring of shards of a project. */
export interface ProjectRing {
  readonly name: string;
  /** The ring, and the operator's permission to read it. */
  readonly manifests: readonly Manifest[];
}

/** Reads the ring that `tsop edit --plugins sharding` has written, if there is one. */
export async function readProjectRing(root: string, { namespace }: OperatorAccount): Promise<ProjectRing | undefined> {
  const folder = join(root, "config", "sharding");
  const files = ["controllerring.yaml", "manager_role.yaml"].map((name) => join(folder, name)).filter(existsSync);
  const found = (await Promise.all(files.map(readManifests))).flat();
  const ring = found.find(({ object }) => object.kind === "ControllerRing");
  if (!ring) return undefined;
  const manifests = found.map(({ file, object }) => ({ file, object: place(object, namespace) }));
  return { name: ring.object.metadata.name ?? "", manifests };
}

const longestMs = 10_000;

/**
 * Waits until the sharder knows this many shards, so that it does not move the first objects at once. Gives up after a
 * while: a shard that does not come has logged the reason.
 */
export async function untilShards(client: Client, ring: string, count: number, signal: AbortSignal): Promise<void> {
  const kind = await client.kindFor("sharding.timebertt.dev/v1alpha1", "ControllerRing");
  for (const end = Date.now() + longestMs; Date.now() < end && !signal.aborted;) {
    const { status } = (await client.get(kind, { name: ring })) as { status?: { availableShards?: number } };
    if ((status?.availableShards ?? 0) >= count) return;
    await wait(50, undefined, { signal }).catch(() => {});
  }
}
