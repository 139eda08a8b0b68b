import { rm, mkdir } from "node:fs/promises";
import { resolve, join } from "node:path";
import { openCheckedOperator, type CheckedHost, type CheckedOperator, type OpenedSource } from "./checked-operator.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Disk } from "../files/disk.ts";
import { TsopError } from "../errors/tsop-error.ts";

/** The version of an operator from which users upgrade. */
export interface OlderSource {
  /** A revision of the project in its git repository: a tag, a branch or a commit. */
  readonly revision?: string | undefined;
  /** A program, if the newer version is one. */
  readonly exec?: string | undefined;
  /** The CRDs and other objects of the program; by default those of the newer version. */
  readonly apply?: readonly string[] | undefined;
  /** The custom resources of the program; by default those of the newer version. */
  readonly samples?: readonly string[] | undefined;
}

export interface OlderHost extends CheckedHost, Pick<CheckOutOptions, "signal" | "onInstall"> {
  /** The folder of the newer version. */
  readonly root: string;
}

export interface OlderOperator extends CheckedOperator {
  /** Removes the folder of the revision: test runners find tests in hidden folders, too. */
  close(): Promise<void>;
}

/** Opens the older version of an operator that is checked with `source`. */
export async function openOlderVersion(
  { root, signal, onInstall, ...host }: OlderHost,
  { revision, ...program }: OlderSource,
  { with: _neighbours, ...source }: OpenedSource,
): Promise<OlderOperator> {
  if (revision === undefined) {
    const { exec, apply = source.apply, samples = source.samples } = program;
    const opened = await openCheckedOperator(host, { ...source, exec, apply, samples });
    return { ...opened, close: async () => {} };
  }
  const cwd = await checkOutRevision({ root, revision, disk: host.disk, signal, onInstall });
  const close = (): Promise<void> => rm(cwd, { recursive: true, force: true });
  const [given, samples] = [source.apply, source.samples].map((paths) => paths?.map((path) => resolve(host.cwd, path)));
  try {
    return { ...(await openCheckedOperator({ ...host, cwd }, { ...source, apply: given, samples })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface CheckOutOptions {
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
async function checkOutRevision(options: CheckOutOptions): Promise<string> {
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
