import { resolve } from "node:path";
import { applyManifests } from "../../manifests/apply-manifests.ts";
import { readManifestsToApply } from "../../manifests/read-manifests.ts";
import type { OlmHost } from "../../olm/cluster/olm-host.ts";
import type { Io } from "../io.ts";

/** Applies files and folders. */
export async function applyPaths(io: Io, host: OlmHost, paths: readonly string[]): Promise<void> {
  const manifests = (await Promise.all(paths.map((path) => readManifestsToApply(resolve(io.cwd, path))))).flat();
  await applyManifests(host, manifests, ({ kind, name, result }) => host.emit(`${kind.plural}/${name} ${result}`));
}
