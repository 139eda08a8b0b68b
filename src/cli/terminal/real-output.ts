import { fstatSync, writeSync } from "node:fs";
import { hasControls, visibleControls } from "../../apimachinery/visible-controls.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Output } from "../io.ts";

/**
 * The standard output (1) or error (2) of this process. Text is written without a stream if that is possible: Node loads
 * 30 modules for one.
 */
export function realOutput(file: 1 | 2): Output {
  // A console of Windows takes text only from a stream.
  let stream = process.platform === "win32" ? openStream(file) : undefined;
  return {
    write(given) {
      const text = hasControls(given) && isTerminal(file) ? visibleControls(given) : given;
      if (stream) return void stream.write(text);
      const rest = writeDirectly(file, text);
      if (rest) void (stream = openStream(file)).write(rest);
    },
    get isTTY() {
      return isTerminal(file);
    },
    get columns() {
      return (isTerminal(file) && streamOf(file).columns) || 100;
    },
  };
}

/** Reports whether a file of this process is a terminal. Files and pipes are told apart without Node's streams. */
export function isTerminal(file: 0 | 1 | 2): boolean {
  return isDevice(file) && process.getBuiltinModule("node:tty").isatty(file);
}

function isDevice(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EBADF") return false; // It is closed.
    throw error;
  }
}

/** Returns the bytes that a full pipe did not take. If the standard error takes none, nobody can be told. */
function writeDirectly(file: 1 | 2, text: string): Uint8Array | undefined {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return rest;
    if (file === 1 && !isUnread(error as NodeJS.ErrnoException))
      throw new TsopError("TSOP_OUTPUT_FAILED", { reason: messageOf(error) }, { cause: error });
  }
  return undefined;
}

function openStream(file: 1 | 2): NodeJS.WriteStream {
  return streamOf(file).on("error", throwUnlessUnread);
}

function streamOf(file: 1 | 2): NodeJS.WriteStream {
  return file === 1 ? process.stdout : process.stderr;
}

function throwUnlessUnread(error: NodeJS.ErrnoException): void {
  if (!isUnread(error)) throw error;
}

/** A reader that stops reading (`tsop … | head`) and a closed terminal are not failures. */
function isUnread({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "EIO";
}
