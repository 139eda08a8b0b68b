import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAlive } from "./is-alive.ts";

/**
 * Creates a lock file with this process's PID; returns the PID of the holder if another process has the lock. The lock
 * of a killed process is taken over. It is linked with its content, so that an empty file is never mistaken for an old
 * lock.
 */
export async function takeLock(lock: string): Promise<number | undefined> {
  const mine = `${lock}.${randomBytes(8).toString("hex")}`;
  await writeFile(mine, String(process.pid));
  try {
    for (;;) {
      if (await linkFile(mine, lock)) return undefined;
      const holder = await readHolder(lock);
      if (holder === undefined) continue;
      if (holder > 0 && isAlive(holder)) return holder;
      await removeStale(lock, holder, `${mine}.old`);
    }
  } finally {
    await rm(mine, { force: true });
  }
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

/** Returns the PID in a lock, or `undefined` if the lock no longer exists. */
async function readHolder(lock: string): Promise<number | undefined> {
  try {
    return Number(await readFile(lock, "utf8")) || 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes the lock of a killed process. If several processes try, one moves it away; one that moved a new lock restores
 * it.
 */
async function removeStale(lock: string, holder: number, aside: string): Promise<void> {
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await readHolder(aside)) !== holder) await linkFile(aside, lock);
  await rm(aside, { force: true });
}
