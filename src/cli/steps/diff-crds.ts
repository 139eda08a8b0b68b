import { compareCrds } from "../../apimachinery/crd/compare-crds.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { formatChanges, type ChangeFormat } from "../../release/crd/format-changes.ts";
import { readSide, sharedWith, type SideHost } from "../../release/crd/read-side.ts";
import type { Io } from "../io.ts";
import { findCrdFolder } from "./find-crd-folder.ts";
import { openCluster, type ChosenCluster } from "./open-cluster.ts";

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
