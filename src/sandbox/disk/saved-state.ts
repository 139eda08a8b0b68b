import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isObject } from "../../apimachinery/is-object.ts";
import type { EmbeddedApiServer } from "../../apiserver/create-api-server.ts";
import type { Snapshot } from "../../apiserver/storage/store.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { realDisk } from "../../files/real-disk.ts";
import { takeLock } from "../../files/take-lock.ts";
import { diskReason } from "./disk-reason.ts";
import { makeFolder } from "./make-folder.ts";

/** Interval between two saves. */
const saveEveryMs = 200;

/**
 * Distance to the saved revision at a start: a killed run may have reported later ones, which must not be used again.
 */
const revisionsAhead = 100_000;

/** A folder that a sandbox restores its objects from and saves them to. */
export interface SavedState {
  /** The saved objects; absent at the first start. */
  readonly snapshot: Snapshot | undefined;
  /** Calls a function that loads the snapshot; its failure is reported as one of the file. */
  restore<T>(take: () => T): Promise<T>;
  /** Saves changes until the signal aborts, then the last ones; rejects if those cannot be saved. */
  keep(server: EmbeddedApiServer, signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
  /** Releases the folder. */
  close(): Promise<void>;
}

/** Opens a folder for this process alone, and reads the objects that an earlier sandbox saved. */
export async function openState(folder: string): Promise<SavedState> {
  const [file, lock] = [join(folder, "state.json"), join(folder, "lock")];
  await makeFolder(folder);
  const holder = await takeLock(lock, realDisk(), "tsop sandbox");
  if (holder) throw new TsopError("TSOP_STATE_LOCKED", { folder, pid: holder.pid });
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

/**
 * Saves until the signal aborts. Reports a failure, such as a full disk, once and tries again; rejects if the last save
 * fails.
 */
async function save({ file, server, onError }: Saving, signal: AbortSignal): Promise<void> {
  let saved = -1;
  let failure: TsopError | undefined;
  for (let isLast = false; !isLast;) {
    // The signal ends the wait early.
    await wait(saveEveryMs, undefined, { signal }).catch(() => {});
    // If the signal aborts during a write, one more turn saves the changes since then.
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

/**
 * Replaces a file atomically: a reader finds the old text or the new one, even after a power failure. It may hold
 * secrets.
 */
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
    // Half a text only takes room on a full disk. If its removal fails, the first error is reported.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
