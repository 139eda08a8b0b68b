import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf } from "../errors/message-of.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { recoverChanges, type Recovered } from "./change-record.ts";
import { checkInside } from "./check-inside.ts";
import type { Disk } from "./disk.ts";
import { takeLock, type LockHolder } from "./take-lock.ts";

/** The folder of a project that version control ignores. */
export const ownFolder = ".tsop";

export interface LockOptions {
  /** The command, as other commands name it while they wait. */
  readonly purpose: string;
  readonly signal: AbortSignal;
  /** Called once if another command has had the lock for a second. */
  readonly onWait: (holder: LockHolder) => void;
  readonly sayAfterMs?: number;
  readonly timeoutMs?: number;
}

export interface FolderLock {
  /** The repairs after a command that was killed while it wrote. */
  readonly recovered: Recovered | undefined;
  release(): Promise<void>;
}

/**
 * Waits until no other command changes a folder, and keeps others waiting until the release. Ends the work of a killed
 * command first. Take the lock before you read what you change.
 */
export async function lockFolder(root: string, disk: Disk, options: LockOptions): Promise<FolderLock> {
  const folder = join(root, ownFolder);
  const lock = join(folder, "lock");
  await checkInside(root, [`${ownFolder}/lock`], disk);
  await untilTaken(root, { lock, folder, disk }, options);
  const release = async (): Promise<void> => {
    await disk.remove(lock);
    await disk.removeEmptyFolder(folder);
  };
  try {
    return { recovered: await recoverChanges(root, folder, disk), release };
  } catch (error) {
    await release();
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly lock: string;
  readonly disk: Disk;
}

async function untilTaken(
  root: string,
  place: Place,
  { purpose, signal, onWait, sayAfterMs = 1_000, timeoutMs = 30_000 }: LockOptions,
): Promise<void> {
  let [hasSaid, pause] = [false, 5];
  let begin: number | undefined;
  for (;;) {
    const holder = await tryOnce(place, purpose);
    if (holder === "taken") return;
    // The first use of `performance` loads a module.
    begin ??= performance.now();
    const waited = performance.now() - begin;
    if (waited >= timeoutMs) {
      const seconds = Math.round(timeoutMs / 1_000);
      throw new TsopError("TSOP_BUSY", { root, pid: holder.pid, purpose: holder.purpose || "a command", seconds });
    }
    if (!hasSaid && waited >= sayAfterMs) {
      onWait(holder);
      hasSaid = true;
    }
    await wait(pause, undefined, { signal }).catch((cause: unknown) => {
      throw new TsopError("TSOP_INTERRUPTED", {}, { cause });
    });
    pause = Math.min(pause * 2, 100);
  }
}

async function tryOnce({ folder, lock, disk }: Place, purpose: string): Promise<LockHolder | "taken"> {
  for (let attempt = 0; ; attempt++) {
    try {
      await disk.makeFolder(folder);
      return (await takeLock(lock, disk, purpose)) ?? "taken";
    } catch (cause) {
      // The command that had the lock has just removed the folder.
      if ((cause as NodeJS.ErrnoException).code === "ENOENT" && attempt < 100) continue;
      throw new TsopError("TSOP_WRITE_FAILED", { path: `${ownFolder}/lock`, reason: messageOf(cause) }, { cause });
    }
  }
}
