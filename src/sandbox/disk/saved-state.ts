import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Certificate } from "../../apimachinery/certificates/issue-certificates.ts";
import { isApiError } from "../../apimachinery/status.ts";
import type { ApiServerOptions, EmbeddedApiServer } from "../../apiserver/create-api-server.ts";
import type { Snapshot } from "../../apiserver/storage/store.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { realDisk } from "../../files/real-disk.ts";
import { takeLock } from "../../files/take-lock.ts";
import { loadAuthority } from "./authority.ts";
import { diskReason } from "../../files/disk-reason.ts";
import { formatSnapshot, readLog, type LogContent } from "./log-records.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { readLogFile, StateLog, type LogOptions } from "./state-log.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Distance to the last revision at a start: before a power failure, a run may have reported later ones, which must not be
 * used again.
 */
const revisionsAhead = 100_000;

export interface StateOptions extends LogOptions {
  /** Returns the objects of the first start. */
  readonly initial: () => Snapshot;
  /** Returns the saved objects with those that a server of this version adds to them. */
  readonly complete: (saved: Snapshot) => Snapshot;
}

/** A folder that keeps a sandbox's objects and its identity. */
export interface SavedState {
  /** The authority of the server's certificate. */
  readonly authority: Certificate;
  /** Creates a server with the saved objects, and saves its changes from then on. */
  restore(create: (state: ServerState) => EmbeddedApiServer): Promise<EmbeddedApiServer>;
  /** Releases the folder. Rejects if the last changes may not survive a power failure. */
  close(): Promise<void>;
}

type ServerState = Required<Pick<ApiServerOptions, "restore" | "journal">>;

/** Opens a folder for this process alone, and reads the objects that an earlier sandbox saved. */
export async function openState(folder: string, options: StateOptions): Promise<SavedState> {
  const file = join(folder, "state.log");
  const lock = join(folder, "lock");
  await makeFolder(folder);
  const holder = await onDisk(lock, takeLock(lock, realDisk(), "tsop sandbox"));
  if (holder) throw new TsopError("TSOP_STATE_LOCKED", { folder, pid: holder.pid });
  const release = () => rm(lock, { force: true });
  try {
    const bytes = readLogFile(file);
    const saved = bytes && readLog(file, bytes);
    const { ca, tokenKey } = await onDisk(join(folder, "authority.json"), loadAuthority(folder));
    const first = saved ? options.complete(saved.snapshot) : options.initial();
    const { snapshot, end } = first === saved?.snapshot ? saved : await begin(file, first);
    const log = await StateLog.open(file, end, options);
    const close = async () => {
      try {
        await log.close();
      } finally {
        await release();
      }
    };
    const restore: SavedState["restore"] = async (create) => {
      const revision = snapshot.revision + revisionsAhead;
      try {
        const server = create({ restore: { ...snapshot, revision, tokenKey }, journal: log });
        log.rewriteFrom(server);
        return server;
      } catch (cause) {
        await close();
        // The log refuses to write.
        if (isApiError(cause)) throw cause.cause;
        throw new TsopError("TSOP_STATE_INVALID", { file, reason: messageOf(cause) }, { cause });
      }
    };
    return { authority: ca, restore, close };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Writes a log that begins with a state. */
async function begin(file: string, snapshot: Snapshot): Promise<LogContent> {
  const bytes = Buffer.concat([...formatSnapshot(snapshot)]);
  await onDisk(file, writeWhole(file, bytes));
  return { snapshot, end: bytes.length };
}

/** Says why something can't be written. */
async function onDisk<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    if (cause instanceof TsopError) throw cause;
    throw new TsopError("TSOP_STATE_NOT_SAVED", { file, reason: diskReason(cause) }, { cause });
  });
}
