import { closeSync, fsyncSync, openSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { readRegularFile } from "../../files/read-regular-file.ts";

/**
 * Replaces a file atomically: a reader finds the old content or the new one, even after a power failure. It may hold
 * secrets. The folder may have come with a project, where a link with the name of the next content could lead to any
 * file of the user: it is replaced, and never written through.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.new`;
  try {
    await rm(temporary, { force: true });
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    syncFolder(dirname(file));
  } catch (error) {
    // Half a text only takes room on a full disk. If its removal fails, the first error is reported.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Makes the names of a folder's files survive a power failure. */
function syncFolder(folder: string): void {
  // Windows opens no folders, and keeps names without being asked.
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads a file; `undefined` if it is missing. */
export function readIfThere(file: string): Buffer | undefined {
  try {
    return readRegularFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
