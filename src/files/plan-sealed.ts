import { join, posix } from "node:path";
import { followLineEnds } from "./line-ends.ts";
import type { Disk } from "./disk.ts";
import { isEdited, sealOf } from "./edited.ts";
import type { FileChange } from "./plan.ts";

/** A file that tsop writes again and again. Its text has a checksum (`sealText`). */
export interface SealedFile {
  /** Relative to the folder of the files. */
  readonly path: string;
  readonly text: string;
  /** True for a file without a checksum, which is the user's as soon as it exists. */
  readonly once?: boolean;
}

export interface SealedFolder {
  readonly root: string;
  /** Relative to the root. */
  readonly folder: string;
  /** Overwrite files that were edited. */
  readonly force: boolean;
}

export interface SealedChanges {
  readonly changes: FileChange[];
  /** Files that were edited by hand and stay, although tsop would now write something else than before. */
  readonly kept: string[];
}

/** Plans the files of a folder. Those that tsop has written and no longer writes are removed. */
export async function planSealed(
  files: readonly SealedFile[],
  { root, folder, force }: SealedFolder,
  disk: Pick<Disk, "read" | "list">,
): Promise<SealedChanges> {
  const changes: FileChange[] = [];
  const kept: string[] = [];
  for (const { path: name, text, once = false } of files) {
    const path = posix.join(folder, name);
    const before = await disk.read(join(root, path));
    if (before === undefined) {
      changes.push({ type: "create", path, text });
      continue;
    }
    const after = followLineEnds(text, before);
    if (before === after || once) continue;
    if (force || !isEdited(before)) changes.push({ type: "update", path, text: after, before });
    else if (sealOf(before) !== sealOf(text)) kept.push(path);
  }
  const wanted = new Set(files.map(({ path }) => path));
  for (const name of await disk.list(join(root, folder))) {
    const path = posix.join(folder, name);
    const before = wanted.has(name) ? undefined : await disk.read(join(root, path));
    if (before === undefined || sealOf(before) === undefined) continue;
    if (force || !isEdited(before)) changes.push({ type: "remove", path, before });
    else kept.push(path);
  }
  return { changes, kept };
}
