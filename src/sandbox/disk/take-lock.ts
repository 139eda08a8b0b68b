import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAlive } from "./is-alive.ts";

/**
 * Makes a file that says that this process holds it; returns the holder when somebody else does. The lock of a process
 * that was killed is taken over. It appears with its content, so that nobody takes an unwritten one for an old one.
 */
export async function takeLock(lock: string): Promise<number | undefined> {
  const mine = `${lock}.${randomBytes(8).toString("hex")}`;
  await writeFile(mine, String(process.pid));
  try {
    for (;;) {
      if (await linked(mine, lock)) return undefined;
      const holder = await readHolder(lock);
      if (holder === undefined) continue;
      if (holder > 0 && isAlive(holder)) return holder;
      await removeLeftOver(lock, holder, `${mine}.old`);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** `undefined` when the lock has gone by now. */
async function readHolder(lock: string): Promise<number | undefined> {
  try {
    return Number(await readFile(lock, "utf8")) || 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Of several that find the same left-over lock, one moves it away; who moves a new one instead puts it back. */
async function removeLeftOver(lock: string, holder: number, aside: string): Promise<void> {
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await readHolder(aside)) !== holder) await linked(aside, lock);
  await rm(aside, { force: true });
}
