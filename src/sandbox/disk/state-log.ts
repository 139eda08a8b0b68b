import { existsSync, ftruncateSync, lstatSync, renameSync, writeSync } from "node:fs";
import { open, rm, type FileHandle } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ApiError, failure } from "../../apimachinery/status.ts";
import type { EmbeddedApiServer } from "../../apiserver/create-api-server.ts";
import type { Journal, JournalEntry } from "../../apiserver/storage/store.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "../../files/disk-reason.ts";
import { formatEntry, formatSnapshot } from "./log-records.ts";
import { readIfThere } from "./write-whole.ts";

export interface LogOptions {
  /** Called with the first of several equal failures. */
  readonly onError: (error: unknown) => void;
}

/** The state that a log leads to. */
type StateSource = Pick<EmbeddedApiServer, "snapshot" | "store">;

/**
 * A log is rewritten once it has this size, which takes a third of a second to read, and then each time it has tripled.
 */
const smallestRewrite = 32 * 1024 * 1024;
const growth = 3;
/** The most bytes that are formatted in one turn of the event loop. */
const chunkSize = 128 * 1024;

/**
 * The changes of a store in a file. A change is written with a call of the operating system before the store makes it:
 * it survives the end of the process in any form, and a full disk refuses it.
 */
export class StateLog implements Journal {
  private readonly file: string;
  private readonly options: LogOptions;
  private handle: FileHandle;
  private size: number;
  /** At a start, it is unknown how much of the log is still in use. */
  private rewriteAt = smallestRewrite;
  /** The message of the last failure, until a write succeeds. */
  private reported: string | undefined;
  /** The reason why nothing can be written any more. */
  private ended: TsopError | undefined;
  private rewriting: Promise<void> | undefined;
  /** The changes since a rewriting began. */
  private meanwhile: Buffer[] | undefined;
  private source: StateSource | undefined;

  private constructor(file: string, handle: FileHandle, size: number, options: LogOptions) {
    this.file = file;
    this.handle = handle;
    this.size = size;
    this.options = options;
  }

  /** Opens a log for further records after its first `size` bytes. */
  static async open(file: string, size: number, options: LogOptions): Promise<StateLog> {
    for (const left of [`${file}.new`, oldLog(file)]) await rm(left, { force: true });
    const handle = await open(file, "r+");
    await handle.truncate(size);
    return new StateLog(file, handle, size, options);
  }

  /** Lets the log be rewritten in the background, as a state instead of all the changes that led to it. */
  rewriteFrom(source: StateSource): void {
    this.source = source;
  }

  append(entry: JournalEntry): void {
    if (this.ended) throw refusal(this.ended);
    const record = formatEntry(entry);
    try {
      writeAt(this.handle.fd, record, this.size);
    } catch (cause) {
      this.cutPart();
      throw refusal(this.report(cause));
    }
    this.reported = undefined;
    this.size += record.length;
    this.meanwhile?.push(record);
    if (this.size > this.rewriteAt && this.source) this.rewriting ??= this.rewriteSoon(this.source);
  }

  /** Ends the log; its records survive a power failure. */
  async close(): Promise<void> {
    const { file } = this;
    await this.rewriting;
    this.ended = new TsopError("TSOP_STATE_NOT_SAVED", { file, reason: "the server has stopped" });
    try {
      await this.handle.sync();
    } catch (cause) {
      throw new TsopError("TSOP_STATE_NOT_SAVED", { file, reason: diskReason(cause) }, { cause });
    } finally {
      await this.handle.close();
    }
  }

  /** Removes the written part of a record that was refused. Otherwise, the next one is written over it. */
  private cutPart(): void {
    try {
      ftruncateSync(this.handle.fd, this.size);
    } catch {
      // A part without a line break at the end of the file is not read.
    }
  }

  private report(cause: unknown): TsopError {
    const error = new TsopError("TSOP_STATE_NOT_SAVED", { file: this.file, reason: diskReason(cause) }, { cause });
    if (error.message !== this.reported) this.options.onError(error);
    this.reported = error.message;
    return error;
  }

  /** Rewrites the log in a later turn, when the store has made the change that was just written. */
  private async rewriteSoon(source: StateSource): Promise<void> {
    await nextTurn();
    const { file } = this;
    try {
      await this.rewrite(source);
    } catch (cause) {
      this.report(cause);
      await rm(`${file}.new`, { force: true }).catch(() => {});
    } finally {
      this.meanwhile = undefined;
      this.rewriteAt = Math.max(smallestRewrite, growth * this.size);
      this.rewriting = undefined;
    }
  }

  private async rewrite(source: StateSource): Promise<void> {
    const { file } = this;
    const meanwhile: Buffer[] = (this.meanwhile = []);
    const state = formatSnapshot(source.snapshot(), (object) => source.store.text(object));
    // Never through a link, which could lead to any file of the user.
    const handle = await open(`${file}.new`, "wx", 0o600);
    let size = 0;
    try {
      for (const chunk of chunksOf(state)) {
        await handle.appendFile(chunk);
        size += chunk.length;
      }
      await handle.sync();
      // From here on in one turn: no change may come between the last record and the new name.
      const rest = Buffer.concat(meanwhile);
      writeAt(handle.fd, rest, size);
      size += rest.length;
      takePlace(file);
    } catch (error) {
      await handle.close();
      throw error;
    }
    const old = this.handle;
    this.handle = handle;
    this.size = size;
    await old.close();
    await rm(oldLog(file), { force: true });
  }
}

/** Gives the new log the name of the open one. Windows does not replace an open file, but it renames one. */
function takePlace(file: string): void {
  if (process.platform === "win32") renameSync(file, oldLog(file));
  try {
    renameSync(`${file}.new`, file);
  } catch (error) {
    if (process.platform === "win32") renameSync(oldLog(file), file);
    throw error;
  }
}

/** Reads a log; `undefined` if it is missing. A process that ended while it replaced the log left a second file. */
export function readLogFile(file: string): Buffer | undefined {
  if (!existsSync(file) && existsSync(oldLog(file))) renameSync(oldLog(file), file);
  // Changes would be written to the file at its end.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new TsopError("TSOP_STATE_INVALID", { file, reason: "it is a symbolic link" });
  return readIfThere(file);
}

function oldLog(file: string): string {
  return `${file}.old`;
}

/** Writes all bytes; a call of the operating system may write only some. */
function writeAt(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}

function* chunksOf(records: Iterable<Buffer>): Generator<Buffer> {
  let chunk: Buffer[] = [];
  let size = 0;
  for (const record of records) {
    chunk.push(record);
    size += record.length;
    if (size < chunkSize) continue;
    yield Buffer.concat(chunk);
    [chunk, size] = [[], 0];
  }
  yield Buffer.concat(chunk);
}

/** Returns the answer to a request whose change cannot be written. */
function refusal(error: TsopError): ApiError {
  return new ApiError(failure("InternalError", `Internal error occurred: ${error.message}`), { cause: error });
}
