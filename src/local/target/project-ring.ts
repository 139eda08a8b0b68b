import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../manifests/read-manifests.ts";
import { readManifests } from "../../manifests/read-manifests.ts";
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
