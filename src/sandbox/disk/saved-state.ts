import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isObject } from "../../apimachinery/is-object.ts";
import type { EmbeddedApiServer } from "../../apiserver/create-api-server.ts";
import type { Snapshot } from "../../apiserver/storage/store.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "./disk-reason.ts";
import { makeFolder } from "./make-folder.ts";
import { takeLock } from "./take-lock.ts";

/** How long changes may wait for the disk. */
const saveEveryMs = 200;

/** A killed run may have told clients of later versions than it saved; they must not come a second time. */
const revisionsAhead = 100_000;

/** A folder that a sandbox continues from, and saves to. */
export interface SavedState {
  /** Absent at the first start. */
  readonly snapshot: Snapshot | undefined;
  /** Runs what takes the snapshot over; a failure of that is blamed on the file. */
  restore<T>(take: () => T): Promise<T>;
  /** Saves changes until the signal aborts, and the last ones then; fails when those could not be saved. */
  keep(server: EmbeddedApiServer, signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
  /** Lets others use the folder. */
  close(): Promise<void>;
}

/** Opens a folder for this process alone, and reads what an earlier sandbox has saved there. */
export async function openState(folder: string): Promise<SavedState> {
  const [file, lock] = [join(folder, "state.json"), join(folder, "lock")];
  await makeFolder(folder);
  const holder = await takeLock(lock);
  if (holder !== undefined) throw new TsopError("TSOP_STATE_LOCKED", { folder, pid: holder });
  const close = () => rm(lock, { force: true });
  try {
    const snapshot = await readSnapshot(file);
    const keep: SavedState["keep"] = async (server, signal, onError) => {
      try {
        await save({ file, server, onError }, signal);
      } finally {
        await close();
      }
    };
    const restore: SavedState["restore"] = async (take) => {
      try {
        return take();
      } catch (cause) {
        await close();
        throw invalid(file, cause);
      }
    };
    return { snapshot, restore, keep, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readSnapshot(file: string): Promise<Snapshot | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  let snapshot: unknown;
  try {
    snapshot = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, cause);
  }
  if (isSnapshot(snapshot)) return { ...snapshot, revision: snapshot.revision + revisionsAhead };
  throw new TsopError("TSOP_STATE_INVALID", { file, reason: "its format is not that of this version" });
}

function isSnapshot(value: unknown): value is Snapshot {
  const { format, revision, objects } = (value ?? {}) as Partial<Snapshot>;
  if (format !== 1 || !Number.isSafeInteger(revision) || !isObject(objects)) return false;
  return Object.values(objects).every(
    (entries) => isObject(entries) && Object.values(entries).every((object) => isObject(object?.metadata)),
  );
}

function invalid(file: string, cause: unknown): TsopError {
  return new TsopError("TSOP_STATE_INVALID", { file, reason: (cause as Error).message }, { cause });
}

interface Saving {
  readonly file: string;
  readonly server: EmbeddedApiServer;
  readonly onError: (error: unknown) => void;
}

/** A failure, such as a full disk, is told once, and the next turn tries again. At the end it is the outcome. */
async function save({ file, server, onError }: Saving, signal: AbortSignal): Promise<void> {
  let saved = -1;
  let failure: TsopError | undefined;
  for (let isLast = false; !isLast;) {
    // Aborting ends the wait early, which is what it is for.
    await wait(saveEveryMs, undefined, { signal }).catch(() => {});
    // One that aborts while the disk is written has another turn, for what has changed meanwhile.
    isLast = signal.aborted;
    const { revision } = server;
    if (revision === saved) continue;
    try {
      await writeWhole(file, JSON.stringify(server.snapshot()));
      saved = revision;
      failure = undefined;
    } catch (cause) {
      const before = failure;
      failure = new TsopError("TSOP_STATE_NOT_SAVED", { file, reason: diskReason(cause) }, { cause });
      if (failure.message !== before?.message && !isLast) onError(failure);
    }
  }
  if (failure) throw failure;
}

/** Whoever reads the file, and whenever the power goes, finds the old text or the new one. It may hold secrets. */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  try {
    const handle = await open(temporary, "w", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    // Half a text would only take room on a full disk. Where even that fails, the first error says why.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
