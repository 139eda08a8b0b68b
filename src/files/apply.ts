import { dirname, join } from "node:path";
import { messageOf } from "../errors/message-of.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { recordFiles, newName, oldName, type RecordedChange } from "./change-record.ts";
import type { Disk } from "./disk.ts";
import type { Applied, FileChange, Plan } from "./plan.ts";
import { refuseConflicts, settlePlan, type SettledChange } from "./settle.ts";

/** Options of `applyPlan`. */
export interface ApplyOptions {
  /** Overwrites conflicting files instead of reporting them. */
  readonly force?: boolean;
  /** An existing folder for a record of the changes, with which `recoverChanges` ends the work of a killed process. */
  readonly record?: string;
}

/**
 * Writes a plan to disk, completely or not at all. All conflicts are reported together, before the first write. A later
 * failure undoes each step, so that the tree is byte for byte as before.
 *
 * @example
 * const { plan } = await generate({ root: process.cwd(), disk: realDisk(), outputs: ["crd", "rbac"], version: "1.0.0" });
 * await applyPlan(plan, realDisk());
 */
export async function applyPlan(plan: Plan, disk: Disk, options: ApplyOptions = {}): Promise<Applied> {
  const settled = await settlePlan(plan, disk);
  if (!options.force) refuseConflicts(settled);
  const pending = settled.filter(({ needed }) => needed).toSorted(projectLast);
  if (pending.length > 0) await write(plan.root, pending, { disk, record: options.record });
  return summarise(settled);
}

/** PROJECT records the other files, so it changes last. */
function projectLast(a: SettledChange, b: SettledChange): number {
  return Number(a.change.path === "PROJECT") - Number(b.change.path === "PROJECT");
}

/**
 * Writes the new texts next to their targets first: nearly every failure (space, permissions) happens before a file of
 * the user is touched. Renames then put them in place; a full disk does not prevent undoing them. A concurrent reader
 * sees either the old file or the new one.
 */
async function write(
  root: string,
  pending: readonly SettledChange[],
  { disk, record }: { readonly disk: Disk; readonly record: string | undefined },
): Promise<void> {
  const journal = new Journal();
  const { undo: undoFile, done: doneFile } = recordFiles(record ?? root);
  let at = "";
  const each = async (list: readonly SettledChange[], step: (path: string, item: SettledChange) => Promise<void>) => {
    for (const item of list) {
      at = item.change.path;
      await step(join(root, at), item);
    }
  };
  const replaced = pending.filter(({ current }) => current !== undefined);
  const written = pending.filter(({ change }) => change.type !== "remove");
  const removed = pending.filter(({ change }) => change.type === "remove");
  try {
    if (record !== undefined) {
      await journal.step(
        () => disk.write(undoFile, formatRecord(pending)),
        () => disk.remove(undoFile),
      );
    }
    const made = new Set<string>();
    await each(written, async (path, { change }) => {
      const folder = dirname(path);
      if (!made.has(folder)) await makeFolder(folder, disk, journal);
      made.add(folder);
      await journal.step(
        () => disk.write(newName(path), contentOf(change), { executable: isExecutable(change) }),
        () => disk.remove(newName(path)),
      );
    });
    await each(pending, async (path, { change, current }) => {
      if (change.type === "remove") await journal.rename(disk, path, oldName(path));
      else if (current === undefined) await journal.rename(disk, newName(path), path);
      else await journal.replace(disk, path);
    });
    if (record !== undefined) await journal.rename(disk, undoFile, doneFile);
    await each(replaced, (path, { current }) =>
      journal.step(
        () => disk.remove(oldName(path)),
        () => disk.write(oldName(path), current!),
      ),
    );
    await each(removed, (path) => removeEmptyFolders(root, dirname(path), disk, journal));
    if (record !== undefined) await disk.remove(doneFile);
  } catch (cause) {
    await undo(journal, at, cause);
  }
}

async function undo(journal: Journal, path: string, cause: unknown): Promise<never> {
  const reason = messageOf(cause);
  const failures = await journal.undo();
  if (failures.length === 0) throw new TsopError("TSOP_WRITE_FAILED", { path, reason }, { cause });
  throw new TsopError("TSOP_UNDO_FAILED", { path, reason }, { cause: new AggregateError([cause, ...failures]) });
}

async function makeFolder(folder: string, disk: Disk, journal: Journal): Promise<void> {
  let topmost: string | undefined;
  await journal.step(
    async () => {
      topmost = await disk.makeFolder(folder);
    },
    async () => {
      if (topmost === undefined) return;
      for (let path = folder; path.length >= topmost.length; path = dirname(path)) await disk.removeEmptyFolder(path);
    },
  );
}

async function removeEmptyFolders(root: string, folder: string, disk: Disk, journal: Journal): Promise<void> {
  for (let path = folder; path.length > root.length; path = dirname(path)) {
    await journal.step(
      () => disk.removeEmptyFolder(path),
      async () => void (await disk.makeFolder(path)),
    );
  }
}

/** The steps done so far, with the way to undo each. */
class Journal {
  private readonly undos: (() => Promise<void>)[] = [];

  /** The undo is recorded first: a write that fails half way leaves something behind, too. */
  async step(act: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
    this.undos.push(undo);
    await act();
  }

  async rename(disk: Disk, from: string, to: string): Promise<void> {
    await disk.rename(from, to);
    this.undos.push(() => disk.rename(to, from));
  }

  /** Renames the old file and puts the new text in its place. */
  async replace(disk: Disk, path: string): Promise<void> {
    const old = oldName(path);
    const keep = async (): Promise<void> => {
      await disk.remove(old); // of a run that was killed
      await disk.link(path, old);
    };
    await this.step(keep, () => disk.remove(old));
    await disk.rename(newName(path), path);
    this.undos.push(() => disk.rename(old, path));
  }

  /** Undoes all steps and returns the failures. */
  async undo(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const undo of this.undos.toReversed()) await undo().catch((error: unknown) => failures.push(error));
    return failures;
  }
}

function formatRecord(pending: readonly SettledChange[]): string {
  // A record may have come with the project, so it is not believed about other folders.
  const inside = pending.filter(({ change }) => !change.path.startsWith("../"));
  const changes = inside.map(({ change, current }): RecordedChange => {
    const wrote = change.type === "remove" ? {} : { wrote: change.text };
    return { path: change.path, existed: current !== undefined, ...wrote };
  });
  return JSON.stringify({ changes });
}

function isExecutable(change: FileChange): boolean {
  return change.type === "create" && change.executable === true;
}

function contentOf(change: FileChange): string | Uint8Array {
  if (change.type === "remove") return "";
  return change.type === "create" ? (change.bytes ?? change.text) : change.text;
}

function summarise(settled: readonly SettledChange[]): Applied {
  const paths = (holds: (item: SettledChange) => boolean): string[] =>
    settled.filter(holds).map(({ change }) => change.path);
  return {
    created: paths(({ needed, change, current }) => needed && change.type !== "remove" && current === undefined),
    updated: paths(({ needed, change, current }) => needed && change.type !== "remove" && current !== undefined),
    removed: paths(({ needed, change }) => needed && change.type === "remove"),
  };
}
