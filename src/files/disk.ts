/** The part of a file system that plans need. Paths are absolute. Tests pass a memory disk; `realDisk()` is node:fs. */
export interface Disk {
  /** The text, or `undefined` when there is no such file. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string, options?: { executable?: boolean }): Promise<void>;
  /** Removes a file; no error when it is gone already. */
  remove(path: string): Promise<void>;
  /** Makes a folder and its parents; returns the topmost one it had to make. */
  makeFolder(path: string): Promise<string | undefined>;
  /** Removes a folder if it is empty. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Paths of all files below a folder, relative to it, sorted; empty when there is no such folder. */
  list(folder: string, options?: { skip?: (name: string) => boolean }): Promise<string[]>;
  /** Takes the place of a file that is there already, in one step for whoever reads. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name, which keeps its text when another file takes the first one. */
  link(from: string, to: string): Promise<void>;
}
