import { dirname } from "node:path";
import type { Disk } from "./disk.ts";
import { withSlashes } from "./slashes.ts";

/** A disk in memory that fails as a real one does: a file needs its folder, a rename needs its source. */
export interface MemoryDisk extends Disk {
  /** The text of each path, which has slashes on Windows, too. */
  readonly files: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  readonly executables: ReadonlySet<string>;
}

/**
 * Creates a memory disk with the given files, by absolute path.
 *
 * @example
 * const disk = memoryDisk({ "/operator/PROJECT": "domain: example.com\n" });
 * const { plan } = await generate({ root: "/operator", disk, outputs: ["crd"], version: "1.0.0" });
 */
export function memoryDisk(initial: Readonly<Record<string, string>> = {}): MemoryDisk {
  const files = new Map(Object.entries(initial));
  const executables = new Set<string>();
  const folders = new Set(["/"]);
  for (const path of files.keys()) addFolder(folders, dirname(path));

  return {
    files,
    folders,
    executables,
    read: async (path) => files.get(withSlashes(path)),
    async write(to, content, options) {
      const path = withSlashes(to);
      if (!folders.has(dirname(path))) throw failure("ENOENT", `open '${path}'`);
      if (folders.has(path)) throw failure("EISDIR", `open '${path}'`);
      files.set(path, Buffer.from(content).toString());
      if (options?.executable) executables.add(path);
    },
    async remove(path) {
      files.delete(withSlashes(path));
      executables.delete(withSlashes(path));
    },
    makeFolder: async (path) => addFolder(folders, withSlashes(path)),
    async removeEmptyFolder(path) {
      const filled = [...files.keys(), ...folders].some((other) => other.startsWith(`${withSlashes(path)}/`));
      if (!filled) folders.delete(withSlashes(path));
    },
    async list(folder, options) {
      const start = `${withSlashes(folder)}/`;
      const relative = [...files.keys()]
        .filter((path) => path.startsWith(start))
        .map((path) => path.slice(start.length));
      return relative.filter((path) => !path.split("/").some((name) => options?.skip?.(name))).toSorted();
    },
    realPath: async (path) => path,
    async link(source, target) {
      const [from, to] = [withSlashes(source), withSlashes(target)];
      const text = files.get(from);
      if (text === undefined) throw failure("ENOENT", `link '${from}' -> '${to}'`);
      if (files.has(to)) throw failure("EEXIST", `link '${from}' -> '${to}'`);
      files.set(to, text);
      if (executables.has(from)) executables.add(to);
    },
    async rename(source, target) {
      const [from, to] = [withSlashes(source), withSlashes(target)];
      const text = files.get(from);
      if (text === undefined || !folders.has(dirname(to))) throw failure("ENOENT", `rename '${from}' -> '${to}'`);
      files.delete(from);
      files.set(to, text);
      if (executables.delete(from)) executables.add(to);
      else executables.delete(to);
    },
  };
}

/** Adds a folder and its parents; returns the topmost new one. */
function addFolder(folders: Set<string>, path: string): string | undefined {
  if (folders.has(path)) return undefined;
  const above = addFolder(folders, dirname(path));
  folders.add(path);
  return above ?? path;
}

function failure(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
