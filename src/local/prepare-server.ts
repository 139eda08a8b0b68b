import { existsSync } from "node:fs";
import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { discoverKinds } from "../sandbox/discover-kinds.ts";
import { installCrds, isCrd } from "../sandbox/install-crds.ts";
import { readManifests } from "../sandbox/read-manifests.ts";
import type { Target } from "./choose-target.ts";

/** Puts the project's CRDs on the server, and returns their names. On a cluster that needs `install`, or they must be there. */
export async function prepareServer(
  target: Target,
  { root, install, signal }: { root: string; install: boolean; signal: AbortSignal },
): Promise<string[]> {
  const folder = join(root, "config", "crd", "bases");
  const manifests = existsSync(folder) ? await readManifests(folder) : [];
  const crds = manifests.map(({ object }) => object).filter(isCrd);
  const names = crds.map(({ metadata }) => metadata.name ?? "");
  if (target.embedded || install) {
    await installCrds(target.client, crds, { signal });
    return names;
  }
  const served = new Set(
    (await discoverKinds(target.transport, signal)).map(({ kind }) => `${kind.plural}.${kind.group}`),
  );
  const missing = names.filter((name) => !served.has(name));
  if (missing.length > 0) throw new TsopError("TSOP_CRDS_NOT_INSTALLED", { crds: missing.join(", ") });
  return names;
}
