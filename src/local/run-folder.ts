import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { diskReason } from "../files/disk-reason.ts";
import { isAlive } from "../files/is-alive.ts";
import { makeFolder } from "../files/make-folder.ts";
import { realDisk } from "../files/real-disk.ts";
import { takeLock } from "../files/take-lock.ts";
import { openKubeconfigFile } from "../sandbox/disk/write-kubeconfig.ts";
import { writeWhole } from "../sandbox/disk/write-whole.ts";

/** The folder of a run, separate from other runs of the same project. */
export interface RunFolder {
  /** Path of the bundled operator. */
  readonly bundle: string;
  /** Folder of the webhooks' certificate. */
  readonly certificates: string;
  /** The operator's kubeconfig, for the server of this run. */
  readonly kubeconfig: string;
  /** The user's kubeconfig: `.tsop/kubeconfig`, or a file of this run if another run or a sandbox has that. */
  readonly userKubeconfig: string;
  /** Writes both kubeconfigs. */
  write(kubeconfigs: Kubeconfigs): Promise<void>;
  remove(): Promise<void>;
}

/** The texts of both kubeconfigs, which may have different users. */
interface Kubeconfigs {
  readonly people: string;
  readonly operator: string;
}

/** Creates a folder in `.tsop` for a run, and removes the folders of killed runs. */
export async function makeRunFolder(root: string): Promise<RunFolder> {
  const shared = join(root, ".tsop");
  await makeFolder(shared);
  const folder = await onDisk(shared, mkdtemp(join(shared, `run-${process.pid}-`)));
  const kubeconfig = join(folder, "kubeconfig");
  const lock = join(shared, "kubeconfig.lock");
  const isFirst = await onDisk(shared, prepare(shared, lock)).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const userKubeconfig = join(shared, isFirst ? "kubeconfig" : basename(folder).replace(/^run/, "kubeconfig"));
  return {
    bundle: join(folder, "main.mjs"),
    certificates: join(folder, "certificates"),
    kubeconfig,
    userKubeconfig,
    async write({ people, operator }) {
      await onDisk(kubeconfig, writeWhole(kubeconfig, operator));
      // A program that waits for the file must not find half of it.
      await onDisk(userKubeconfig, writeWhole(userKubeconfig, people));
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      await rm(userKubeconfig, { force: true });
      if (isFirst) await rm(lock, { force: true });
    },
  };
}

async function removeAbandoned(shared: string): Promise<void> {
  for (const name of await readdir(shared)) {
    const pid = /^(?:run|kubeconfig)-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(shared, name), { recursive: true, force: true });
  }
}

/** Hides the folder from git, and takes the lock of the user's kubeconfig. Returns false if another run or a sandbox has it. */
async function prepare(shared: string, lock: string): Promise<boolean> {
  await removeAbandoned(shared);
  await writeFile(join(shared, ".gitignore"), "*\n");
  // A run has a lock, even if it was killed, so that a running server without one is a sandbox's.
  if (!existsSync(lock) && (await isInUse(join(shared, "kubeconfig")))) return false;
  return (await takeLock(lock, realDisk(), "tsop run --local")) === undefined;
}

async function isInUse(kubeconfig: string): Promise<boolean> {
  try {
    await openKubeconfigFile(kubeconfig);
    return false;
  } catch (error) {
    return error instanceof TsopError && error.code === "TSOP_KUBECONFIG_IN_USE";
  }
}

/** Says why something can't be written. */
async function onDisk<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw new TsopError("TSOP_FILE_UNUSABLE", { file, reason: diskReason(cause) }, { cause });
  });
}
