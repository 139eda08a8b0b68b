/**
 * The part of a file system that plans need. Paths are absolute. Tests pass a memory disk; `realDisk()` uses node:fs.
 */
export interface Disk {
  /** Returns the text, or `undefined` if there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file. An existing one is replaced, and never written through if it is a link. */
  write(path: string, content: string | Uint8Array, options?: { executable?: boolean }): Promise<void>;
  /** Removes a file; ignores a missing one. */
  remove(path: string): Promise<void>;
  /** Creates a folder and its parents; returns the topmost one that it created. */
  makeFolder(path: string): Promise<string | undefined>;
  /** Removes a folder if it is empty. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Returns the paths of all files below a folder, relative to it, sorted; empty if there is no such folder. */
  list(folder: string, options?: { skip?: (name: string) => boolean }): Promise<string[]>;
  /** Returns the path without symbolic links; the last parts need not exist. */
  realPath(path: string): Promise<string>;
  /** Replaces an existing file in one step, so that a reader sees the old file or the new one. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name, which keeps its text when another file takes the first one; EEXIST if that is taken. */
  link(from: string, to: string): Promise<void>;
}
