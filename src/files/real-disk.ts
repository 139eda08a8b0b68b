import {
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Disk } from "./disk.ts";
import { makeWithParents } from "./make-folder.ts";
import { readRegularFile } from "./read-regular-file.ts";

/**
 * The disk of this machine. Its calls are synchronous: for small files, Node's thread pool would take most of the time.
 *
 * @example
 * const { resources } = await loadProjectTypes({ root: process.cwd(), disk: realDisk() });
 */
export function realDisk(): Disk {
  return {
    read: async (path) => readText(path),
    write: async (path, content, options) => writeAnew(path, content, options?.executable ? 0o755 : 0o644),
    remove: async (path) => rmSync(path, { force: true }),
    makeFolder: async (path) => makeWithParents(path),
    removeEmptyFolder: async (path) => removeEmptyFolder(path),
    list: async (folder, options) => listBelow(folder, "", options?.skip ?? (() => false)).toSorted(),
    realPath: async (path) => resolveLinks(path),
    rename: async (from, to) => renameSync(from, to),
    link: async (from, to) => linkOrCopy(from, to),
  };
}

/** No text of a project or bundle is larger. */
const largestText = 64 * 1024 * 1024;

/** Treats a directory as a missing file. */
function readText(path: string): string | undefined {
  try {
    return unlessAbsent(() => readRegularFile(path, largestText).toString("utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") return undefined;
    throw error;
  }
}

/** Replaces what has the name: a link, which may have come with a project, could lead to any file of the user. */
function writeAnew(path: string, content: string | Uint8Array, mode: number): void {
  const create = (): void => writeFileSync(path, content, { mode, flag: "wx" });
  try {
    create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    rmSync(path);
    create();
  }
}

function listBelow(folder: string, prefix: string, skip: (name: string) => boolean): string[] {
  const entries = unlessAbsent(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    if (skip(entry.name)) return [];
    const path = `${prefix}${entry.name}`;
    return entry.isDirectory() ? listBelow(join(folder, entry.name), `${path}/`, skip) : [path];
  });
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function resolveLinks(path: string): string {
  const above = dirname(path);
  return (
    unlessAbsent(() => realpathSync.native(path)) ?? (above === path ? path : join(resolveLinks(above), basename(path)))
  );
}

/** Some file systems have no hard links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return undefined;
  }
}
