import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Disk } from "../files/disk.ts";
import { TsopError } from "../errors/tsop-error.ts";

export interface CheckOutOptions {
  /** The folder of the project. */
  readonly root: string;
  /** A tag, a branch or a commit. */
  readonly revision: string;
  readonly disk: Disk;
  readonly signal: AbortSignal;
  /** Called before the dependencies of the revision are installed. */
  readonly onInstall?: (() => void) | undefined;
}

const lockFile = "package-lock.json";

/**
 * Writes a revision of a project's git repository to a folder of its own, and returns the folder. It lies below the
 * project, where Node finds its dependencies. If the revision has a different lock file of npm, its dependencies are
 * installed.
 */
export async function checkOutRevision(options: CheckOutOptions): Promise<string> {
  const folder = join(options.root, ".tsop", "check", "older");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await checkOut(folder, options);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

async function checkOut(folder: string, { root, revision, disk, signal, onInstall }: CheckOutOptions): Promise<void> {
  const run = async (program: string, args: readonly string[], cwd: string): Promise<string> => {
    const env = { ...process.env, GIT_INDEX_FILE: join(folder, ".git-index") };
    try {
      return (await promisify(execFile)(program, args, { cwd, env, signal })).stdout.trim();
    } catch (error) {
      signal.throwIfAborted();
      const { stderr = "", message } = error as Error & { stderr?: string };
      throw new TsopError("TSOP_CHECK_REVISION", { revision, reason: stderr.trim() || message }, { cause: error });
    }
  };
  // The project may be a folder of a larger repository.
  const tree = await run("git", ["rev-parse", "--verify", "--end-of-options", `${revision}:./`], root);
  const repository = await run("git", ["rev-parse", "--show-toplevel"], root);
  await run("git", ["read-tree", tree], repository);
  await run("git", ["checkout-index", "--all", `--prefix=${folder}/`], repository);
  const [own, today] = await Promise.all([folder, root].map((each) => disk.read(join(each, lockFile))));
  if (own !== undefined && own !== today) {
    onInstall?.();
    await run("npm", ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"], folder);
  }
}
