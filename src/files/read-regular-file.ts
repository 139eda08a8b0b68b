import { readFileSync, statSync } from "node:fs";
import { TsopError } from "../errors/tsop-error.ts";

/**
 * Reads a file that others may have named or placed. Refuses a FIFO, which may never have a writer, a device, which may
 * have no end, and a file of more than `most` bytes.
 */
export function readRegularFile(path: string, most: number = Infinity): Buffer {
  const found = statSync(path);
  // The system has an error of its own for a folder.
  if (!found.isFile() && !found.isDirectory()) throw new TsopError("TSOP_FILE_NOT_REGULAR", { path });
  if (found.isFile() && found.size > most)
    throw new TsopError("TSOP_FILE_TOO_LARGE", { path, bytes: found.size, most });
  return readFileSync(path);
}
