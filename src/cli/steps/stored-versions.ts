import type { CustomResourceDefinition as Crd } from "../../apimachinery/crd/crd-types.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import { migrateStoredVersions, storedVersionsOf } from "../../client/manifests/migrate-stored-versions.ts";
import { readFileCrds } from "../../codegen/external/read-source.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";
import { formatTable } from "../terminal/format-table.ts";
import { findCrdFolder } from "./find-crd-folder.ts";
import { openCluster, type ChosenCluster } from "./open-cluster.ts";

export interface CrdVersionsFlags extends ChosenCluster {
  readonly migrate?: true;
}

/** Prints in which versions the objects of CRDs are stored, after storing them in one if that is asked for. */
export async function showVersions(io: Io, names: readonly string[], flags: CrdVersionsFlags): Promise<void> {
  const wanted = names.length > 0 ? names : await namesOfProject(io);
  const { client } = await openCluster(io, flags);
  if (flags.migrate) for (const name of wanted) await migrate(io, client, name);
  const crds = await Promise.all(wanted.map((name) => readCrd(client, name, io.signal)));
  const rows = crds.map((crd) => {
    const { storage, left } = storedVersionsOf(crd);
    const served = crd.spec.versions.filter((version) => version.served).map(({ name }) => name);
    return [crd.metadata.name, served.join(","), storage, left.join(",") || "-"];
  });
  io.stdout.write(formatTable([["NAME", "SERVED", "STORED", "LEFT"], ...rows]));
  if (rows.some(([, , , left]) => left !== "-"))
    io.stderr.write("objects may be stored in the versions that are left: add --migrate to store them in one\n");
}

async function namesOfProject(io: Io): Promise<string[]> {
  const folder = await findCrdFolder(io);
  if (folder === undefined) throw new UsageError("outside of a project, tsop crd versions needs names of CRDs");
  return (await readFileCrds(folder, "config/crd/bases", io.disk)).map(({ metadata }) => metadata.name);
}

async function migrate(io: Io, client: Client, name: string): Promise<void> {
  const { signal, stderr } = io;
  let shown = 0;
  const onProgress = (written: number, total: number): void => {
    if (written !== total && written < shown + 1_000) return;
    shown = written;
    stderr.write(`${name}: ${written} of ${total} objects written\n`);
  };
  await migrateStoredVersions(client, name, { signal, onProgress });
}

async function readCrd(client: Client, name: string, signal: AbortSignal): Promise<Crd> {
  const crd = await client.getOrUndefined(CustomResourceDefinition, { name }, { signal });
  if (!crd) throw new TsopError("TSOP_CRD_ABSENT", { name });
  return crd as unknown as Crd;
}
