import { posix } from "node:path";

type Folder = Map<string, Folder | string>;

/** Prefix of the files by which a layer deletes others: https://github.com/opencontainers/image-spec */
const whiteout = ".wh.";
const opaque = `${whiteout}${whiteout}.opq`;

/** The files of an image as a tree, so that a layer is added in a time that grows with its paths alone. */
export class ImageFiles {
  private readonly root: Folder = new Map();

  /** Adds a file, in place of a file or folder of that path. A whiteout is not added. */
  add(path: string, text: string): void {
    const name = posix.basename(path);
    if (name.startsWith(whiteout)) return;
    let folder = this.root;
    for (const part of foldersOf(path)) {
      const known = folder.get(part);
      const next: Folder = known instanceof Map ? known : new Map();
      if (next !== known) folder.set(part, next);
      folder = next;
    }
    folder.set(name, text);
  }

  /** Removes what a path deletes if it is a whiteout: a file, a folder, or all that is in its own folder. */
  applyWhiteout(path: string): void {
    const name = posix.basename(path);
    if (!name.startsWith(whiteout)) return;
    let folder = this.root;
    for (const part of foldersOf(path)) {
      const next = folder.get(part);
      if (!(next instanceof Map)) return;
      folder = next;
    }
    if (name === opaque) folder.clear();
    else folder.delete(name.slice(whiteout.length));
  }

  /** Returns path and text of each file. */
  list(): [path: string, text: string][] {
    return listFolder(this.root, "");
  }
}

function foldersOf(path: string): string[] {
  return path.split("/").slice(0, -1);
}

function listFolder(folder: Folder, prefix: string): [string, string][] {
  return [...folder].flatMap(([name, entry]): [string, string][] =>
    typeof entry === "string" ? [[prefix + name, entry]] : listFolder(entry, `${prefix}${name}/`),
  );
}
