import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "./disk.ts";

/** The disk of this machine. */
export function realDisk(): Disk {
  return {
    read: (path) => readFile(path, "utf8").catch(absent),
    write: (path, text, options) => writeFile(path, text, { mode: options?.executable ? 0o755 : 0o644 }),
    remove: (path) => rm(path, { force: true }),
    makeFolder: (path) => mkdir(path, { recursive: true }),
    removeEmptyFolder: (path) => rmdir(path).catch(unlessFilledOrGone),
    list: async (folder, options) => (await listBelow(folder, "", options?.skip ?? (() => false))).toSorted(),
    rename,
  };
}

async function listBelow(folder: string, prefix: string, skip: (name: string) => boolean): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
  const kept = entries.filter((entry) => !skip(entry.name));
  const nested = await Promise.all(
    kept.map(async (entry) =>
      entry.isDirectory()
        ? await listBelow(join(folder, entry.name), `${prefix}${entry.name}/`, skip)
        : [`${prefix}${entry.name}`],
    ),
  );
  return nested.flat();
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

function unlessFilledOrGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
}
