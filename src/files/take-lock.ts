import type { Disk } from "./disk.ts";
import { isAlive, startTimeOf } from "./is-alive.ts";

/** The process that has a lock. */
export interface LockHolder {
  readonly pid: number;
  /** The command, such as `tsop create api`. */
  readonly purpose: string;
}

/** A lock that is taken and cannot be read has just been removed; one that stays so is a link to nothing. */
const mostTries = 100;

/**
 * Creates a lock file that names this process; returns the holder if another process has the lock. The lock of a killed
 * process is taken over. It is linked with its content, so that an empty file is never mistaken for an old lock.
 */
export async function takeLock(lock: string, disk: Disk, purpose = ""): Promise<LockHolder | undefined> {
  const mine = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await disk.write(mine, [process.pid, startTimeOf(process.pid), purpose].join(" "));
    for (let tries = 1; ; tries++) {
      if (await tryLink(mine, lock, disk)) return undefined;
      const text = await disk.read(lock);
      if (text === undefined && tries < mostTries) continue;
      const holder = text === undefined ? undefined : parseHolder(text);
      if (holder) return holder;
      await removeStale(lock, { text, aside: `${mine}.old` }, disk);
    }
  } finally {
    await disk.remove(mine);
  }
}

async function tryLink(from: string, to: string, disk: Disk): Promise<boolean> {
  try {
    await disk.link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Returns the holder that a lock names if it still runs. */
function parseHolder(text: string): LockHolder | undefined {
  const [, id = "", start = "", purpose = ""] = /^(\d+) ?(\d*) ?(.*)$/.exec(text) ?? [];
  const pid = Number(id);
  const isSame = (): boolean => start === "" || startTimeOf(pid) === start;
  return pid > 0 && isAlive(pid) && isSame() ? { pid, purpose } : undefined;
}

/**
 * Removes the lock of a killed process. If several processes try, one moves it away; one that moved a new lock restores
 * it.
 */
async function removeStale(
  lock: string,
  stale: { text: string | undefined; aside: string },
  disk: Disk,
): Promise<void> {
  try {
    await disk.rename(lock, stale.aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await disk.read(stale.aside)) !== stale.text) await tryLink(stale.aside, lock, disk);
  await disk.remove(stale.aside);
}
