import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { ownFiles } from "../../project/scaffold/draft/draft.ts";
import type { CommandLine } from "../../project/scaffold/update/project-commands.ts";
import type { ProjectFiles } from "../../project/scaffold/update/plan-update.ts";
import type { Io } from "../io.ts";

/** A tsop to run: this one or another version. */
export interface TsopPackage {
  /** The folder of the package. */
  readonly root: string;
  readonly version: string;
}

/**
 * Runs command lines of a tsop in a folder, each in a process of its own: the same lines then work for every version,
 * also for one whose code knows nothing of updates.
 */
export async function runTsop(
  io: Pick<Io, "run" | "signal">,
  { root, version }: TsopPackage,
  { folder, commands }: { readonly folder: string; readonly commands: readonly CommandLine[] },
): Promise<void> {
  for (const command of commands) {
    if (io.signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
    const args = [join(root, "bin/tsop.js"), ...command];
    const { exitCode, stderr } = await io.run(process.execPath, args, { cwd: folder, signal: io.signal });
    if (io.signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
    if (exitCode !== 0)
      throw new TsopError("TSOP_REPLAY_FAILED", { version, command: command.join(" "), reason: stderr.trim() });
  }
}

/** Reads all files of a project that its author would commit. */
export async function readProjectFiles(root: string, { disk }: Pick<Io, "disk">): Promise<ProjectFiles> {
  const paths = await ownFiles({ disk, root });
  const texts = await Promise.all(
    paths.map(async (path) => [path, (await disk.read(join(root, path))) ?? ""] as const),
  );
  return new Map(texts);
}

/** Runs work with a folder that is removed afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-update-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
