import { resolve } from "node:path";
import { readManifestsToApply, type Manifest } from "../../client/manifests/read-manifests.ts";
import type { Io } from "../io.ts";

/** Reads the manifests of files and folders, in the order in which they are applied. */
export async function readPaths(io: Pick<Io, "cwd">, paths: readonly string[]): Promise<Manifest[]> {
  return (await Promise.all(paths.map((path) => readManifestsToApply(resolve(io.cwd, path))))).flat();
}
