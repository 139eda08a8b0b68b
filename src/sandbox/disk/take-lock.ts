import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAlive, startOf } from "./is-alive.ts";

/**
 * Creates a lock file with this process's PID and start; returns the PID of the holder if another process has the lock. The lock
 * of a killed process is taken over. It is linked with its content, so that an empty file is never mistaken for an old
 * lock.
 */
export async function takeLock(lock: string): Promise<number | undefined> {
  const mine = `${lock}.${randomBytes(8).toString("hex")}`;
  await writeFile(mine, textOf(process.pid));
  try {
    for (;;) {
      if (await linkFile(mine, lock)) return undefined;
      const holder = await readHolder(lock);
      if (holder === undefined) continue;
      const pid = Number.parseInt(holder, 10);
      // In a container that is started again, another process may have the PID of the killed one.
      if (pid > 0 && isAlive(pid) && holder === textOf(pid)) return pid;
      await removeStale(lock, holder, `${mine}.old`);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

function textOf(pid: number): string {
  return `${pid} ${startOf(pid)}`;
}

async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Returns the content of a lock, or `undefined` if the lock no longer exists. */
async function readHolder(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes the lock of a killed process. If several processes try, one moves it away; one that moved a new lock restores
 * it.
 */
async function removeStale(lock: string, holder: string, aside: string): Promise<void> {
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await readHolder(aside)) !== holder) await linkFile(aside, lock);
  await rm(aside, { force: true });
}
