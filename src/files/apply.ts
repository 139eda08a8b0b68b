import { dirname, join } from "node:path";
import { messageOf } from "../errors/message-of.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "./disk.ts";
import type { Applied, FileChange, Plan } from "./plan.ts";
import { settlePlan, type SettledChange } from "./settle.ts";

/** How a plan meets what is there. */
export interface ApplyOptions {
  /** Overwrites what is in the way instead of listing it. */
  readonly force?: boolean;
}

/**
 * Brings a plan to disk, all of it or nothing. Every conflict is reported at once, before the first write. A failure
 * later undoes each step, so that the tree is byte for byte what it was.
 *
 * @example
 * const { plan } = await generate({ root: process.cwd(), disk: realDisk(), outputs: ["crd", "rbac"], version: "1.0.0" });
 * await applyPlan(plan, realDisk());
 */
export async function applyPlan(plan: Plan, disk: Disk, options: ApplyOptions = {}): Promise<Applied> {
  const settled = await settlePlan(plan, disk);
  const conflicts = options.force ? [] : settled.filter(({ conflict }) => conflict);
  if (conflicts.length > 0) {
    const files = conflicts.map(({ change }) => `  ${change.path}`).join("\n");
    throw new TsopError("TSOP_FILES_EXIST", { files });
  }
  const pending = settled.filter(({ needed }) => needed).toSorted(projectLast);
  await write(plan.root, pending, disk);
  return summarise(settled);
}

/** PROJECT records what the other files are, so it changes after them. */
function projectLast(a: SettledChange, b: SettledChange): number {
  return Number(a.change.path === "PROJECT") - Number(b.change.path === "PROJECT");
}

/**
 * New texts go beside their targets first: nearly all that can fail (space, permissions) fails before a file of the
 * user is touched. Then files take their places by renames, which can be renamed back on a full disk, too. Whoever reads
 * meanwhile finds the old file or the new one.
 */
async function write(root: string, pending: readonly SettledChange[], disk: Disk): Promise<void> {
  const journal = new Journal();
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
    await each(written, async (path, { change }) => {
      await makeFolder(dirname(path), disk, journal);
      await journal.step(
        () => disk.write(newName(path), textOf(change), { executable: isExecutable(change) }),
        () => disk.remove(newName(path)),
      );
    });
    await each(pending, async (path, { change, current }) => {
      if (change.type === "remove") await journal.rename(disk, path, oldName(path));
      else if (current === undefined) await journal.rename(disk, newName(path), path);
      else await journal.replace(disk, path);
    });
    await each(replaced, (path, { current }) =>
      journal.step(
        () => disk.remove(oldName(path)),
        () => disk.write(oldName(path), current!),
      ),
    );
    await each(removed, (path) => removeEmptyFolders(root, dirname(path), disk, journal));
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

/** What was done, with the way back. */
class Journal {
  readonly #undos: (() => Promise<void>)[] = [];

  /** The way back is noted first: a write that fails half way has left something, too. */
  async step(act: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
    this.#undos.push(undo);
    await act();
  }

  async rename(disk: Disk, from: string, to: string): Promise<void> {
    await disk.rename(from, to);
    this.#undos.push(() => disk.rename(to, from));
  }

  /** The new text takes the old one's place, which gets another name. */
  async replace(disk: Disk, path: string): Promise<void> {
    const old = oldName(path);
    const keep = async (): Promise<void> => {
      await disk.remove(old); // of a run that was killed
      await disk.link(path, old);
    };
    await this.step(keep, () => disk.remove(old));
    await disk.rename(newName(path), path);
    this.#undos.push(() => disk.rename(old, path));
  }

  /** Goes all the way back, whatever fails on it; returns the failures. */
  async undo(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const undo of this.#undos.toReversed()) await undo().catch((error: unknown) => failures.push(error));
    return failures;
  }
}

function newName(path: string): string {
  return `${path}.tsop-new`;
}

function oldName(path: string): string {
  return `${path}.tsop-old`;
}

function isExecutable(change: FileChange): boolean {
  return change.type === "create" && change.executable === true;
}

function textOf(change: FileChange): string {
  return change.type === "remove" ? "" : change.text;
}

function summarise(settled: readonly SettledChange[]): Applied {
  const paths = (holds: (item: SettledChange) => boolean): string[] =>
    settled.filter(holds).map(({ change }) => change.path);
  return {
    created: paths(({ needed, change, current }) => needed && change.type !== "remove" && current === undefined),
    updated: paths(({ needed, change, current }) => needed && change.type !== "remove" && current !== undefined),
    removed: paths(({ needed, change }) => needed && change.type === "remove"),
    unchanged: paths(({ needed }) => !needed),
  };
}
