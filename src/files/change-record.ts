import { dirname, join } from "node:path";
import { checkInside } from "./check-inside.ts";
import type { Disk } from "./disk.ts";

/** A file that a plan changes, for the command that finds the plan half applied. */
export interface RecordedChange {
  readonly path: string;
  /** True if the file existed before. */
  readonly existed: boolean;
  /** The new text, as hashing takes longer than writing it; absent for a removal. */
  readonly wrote?: string;
}

/** The result of `recoverChanges`. */
export interface Recovered {
  /** Files that are again as before the killed command. */
  readonly restored: readonly string[];
  /** Files that were edited since; the previous text is next to them, in a file that ends in `.tsop-old`. */
  readonly kept: readonly string[];
}

/** The files of a record: the first until all files are in place, then the second until all leftovers are removed. */
export function recordFiles(folder: string): { undo: string; done: string } {
  return { undo: join(folder, "undo.json"), done: join(folder, "done.json") };
}

/**
 * Ends the work of a command that was killed while it applied a plan. Before its last file was in place, the previous
 * files are restored; after that, only leftovers are removed. A file that somebody edited since is left as it is.
 */
export async function recoverChanges(root: string, folder: string, disk: Disk): Promise<Recovered | undefined> {
  const { undo, done } = recordFiles(folder);
  const half = await readRecord(root, undo, disk);
  const whole = half ?? (await readRecord(root, done, disk));
  if (!whole) return undefined;
  const [restored, kept]: [string[], string[]] = [[], []];
  for (const change of whole.toReversed()) {
    const path = join(root, change.path);
    if (half) {
      const result = await restore(path, change, disk);
      if (result !== "unchanged") (result === "restored" ? restored : kept).push(change.path);
    } else {
      await disk.remove(oldName(path));
    }
    await disk.remove(newName(path));
    for (let above = dirname(path); above.length > root.length; above = dirname(above))
      await disk.removeEmptyFolder(above);
  }
  await disk.remove(half ? undo : done);
  return { restored: restored.toSorted(), kept: kept.toSorted() };
}

async function restore(
  path: string,
  { existed, wrote }: RecordedChange,
  disk: Disk,
): Promise<"restored" | "kept" | "unchanged"> {
  const [now, old] = [await disk.read(path), await disk.read(oldName(path))];
  const isOurs = now === undefined || now === wrote;
  if (old !== undefined) {
    if (now === old) await disk.remove(oldName(path));
    else if (isOurs) await disk.rename(oldName(path), path);
    return now === old ? "unchanged" : isOurs ? "restored" : "kept";
  }
  if (existed || now === undefined || !isOurs) return "unchanged";
  await disk.remove(path);
  return "restored";
}

/** A record that is not whole was never followed by a change. */
async function readRecord(root: string, file: string, disk: Disk): Promise<readonly RecordedChange[] | undefined> {
  const text = await disk.read(file);
  if (text === undefined) return undefined;
  let changes: readonly RecordedChange[];
  try {
    changes = (JSON.parse(text) as { changes: readonly RecordedChange[] }).changes;
  } catch {
    await disk.remove(file);
    return undefined;
  }
  const paths = changes.map(({ path }) => path);
  await checkInside(root, paths, disk);
  return changes;
}

/** Returns the name of a file's next text, until it takes the place of the file. */
export function newName(path: string): string {
  return `${path}.tsop-new`;
}

/** Returns the name of a file's previous text, until all files of a plan are in place. */
export function oldName(path: string): string {
  return `${path}.tsop-old`;
}
