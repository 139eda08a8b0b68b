import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Certificate, createAuthority } from "../../apimachinery/certificates/issue-certificates.ts";
import { isApiError } from "../../apimachinery/status.ts";
import type { ApiServerOptions, EmbeddedApiServer } from "../../apiserver/create-api-server.ts";
import type { Snapshot } from "../../apiserver/storage/store.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { realDisk } from "../../files/real-disk.ts";
import { takeLock } from "../../files/take-lock.ts";
import { diskReason } from "../../files/disk-reason.ts";
import { formatSnapshot, readLog, type LogContent } from "./log-records.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { readLogFile, StateLog, type LogOptions } from "./state-log.ts";
import { writeWhole, readIfThere } from "./write-whole.ts";
import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";

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

/** The identity of a server: clients that trust it trust each later server with the same one. */
interface Authority {
  /** Issues the server's certificate, a new one at each start. */
  readonly ca: Certificate;
  /** The key of all tokens, in base64. */
  readonly tokenKey: string;
}

const format = 1;
const years = 10;
/** An authority is replaced if it expires within this time: a server may run for long. */
const renewBeforeMs = 30 * 24 * 3600_000;

/** Reads the authority of a folder. Creates a missing one, and replaces one that expires soon. */
async function loadAuthority(folder: string): Promise<Authority> {
  const file = join(folder, "authority.json");
  const saved = readAuthority(file);
  const now = Date.now();
  if (saved && Date.parse(new X509Certificate(saved.ca.cert).validTo) - now > renewBeforeMs) return saved;
  const tokenKey = saved?.tokenKey ?? randomBytes(32).toString("base64");
  const authority = { ca: createAuthority(now, years), tokenKey };
  await writeWhole(file, `${JSON.stringify({ format, ...authority }, null, 2)}\n`);
  return authority;
}

function readAuthority(file: string): Authority | undefined {
  const text = readIfThere(file);
  try {
    return text && parseAuthority(text.toString(), file);
  } catch (cause) {
    if (cause instanceof TsopError) throw cause;
    throw new TsopError("TSOP_STATE_INVALID", { file, reason: messageOf(cause) }, { cause });
  }
}

function parseAuthority(text: string, file: string): Authority {
  const { format: found, ca, tokenKey } = JSON.parse(text) as Authority & { format: number };
  if (found > format) throw new TsopError("TSOP_STATE_NEWER", { file, format: found, known: format });
  if (found !== format) throw new Error("this version does not read its format");
  const isPair = new X509Certificate(ca.cert).checkPrivateKey(createPrivateKey(ca.key));
  if (!isPair) throw new Error("the key does not belong to the certificate");
  if (Buffer.from(tokenKey, "base64").length !== 32) throw new Error("tokenKey does not have 32 bytes");
  return { ca, tokenKey };
}
