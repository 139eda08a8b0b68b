import type { CustomResourceDefinition as Crd } from "../../apimachinery/crd/crd-types.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import { migrateStoredVersions, storedVersionsOf } from "../../client/manifests/migrate-stored-versions.ts";
import { readFileCrds } from "../../codegen/external/read-source.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";
import { formatTable } from "../terminal/format-table.ts";
import { openCluster, type ChosenCluster } from "./open-cluster.ts";
import { join } from "node:path";
import { outerProjectRoot } from "../../project/load-project.ts";
import { compareCrds } from "../../apimachinery/crd/compare-crds.ts";
import { formatChanges, type ChangeFormat } from "../../release/crd/format-changes.ts";
import { readSide, sharedWith, type SideHost } from "../../release/crd/read-side.ts";

export interface CrdDiffFlags extends ChosenCluster {
  readonly output: ChangeFormat;
}

/** Prints the changes between two sources of CRDs; fails if one of the changes is not safe. */
export async function diffCrds(
  io: Io,
  [old, now]: readonly [old: string, now: string | undefined],
  flags: CrdDiffFlags,
): Promise<void> {
  const crdFolder = await findCrdFolder(io);
  const target = now ?? crdFolder;
  if (target === undefined) throw new UsageError("outside of a project, tsop crd diff needs two arguments");
  const { cwd, disk } = io;
  const git: SideHost["git"] = (args, folder) => io.run("git", args, { cwd: folder });
  const host = { cwd, disk, crdFolder, git, connect: async () => (await openCluster(io, flags)).client };
  const [before, after] = [await readSide(old, host), await readSide(target, host)];
  const changes = compareCrds(
    old === "cluster" ? sharedWith(before, after) : before,
    target === "cluster" ? sharedWith(after, before) : after,
  );
  io.stdout.write(formatChanges(changes, flags.output));
  const unsafe = changes.filter(({ verdict }) => verdict !== "safe").length;
  if (unsafe > 0) throw new TsopError("TSOP_CRD_BREAKS", { changes: unsafe === 1 ? "1 change" : `${unsafe} changes` });
}

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

/** Returns the folder of the project's CRDs; `undefined` outside of a project. */
export async function findCrdFolder({ cwd, disk }: Io): Promise<string | undefined> {
  const root = await outerProjectRoot(cwd, disk);
  return root && join(root, "config/crd/bases");
}
