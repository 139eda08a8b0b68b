import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { formatUses, mergeUses, parseUses, type UseRecord } from "../apiserver/audit/use-log.ts";
import { messageOf } from "../errors/message-of.ts";
import { TsopError } from "../errors/tsop-error.ts";

/** The file in the folder of a project to which checks and runs add what the operator asked for. */
export const usesFile = ".tsop/roles/uses.jsonl";

/** Appends a record to a file, in one write: several processes may share the file. */
export async function appendUses(file: string, record: UseRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, formatUses(record));
}

/** Reads and merges the records of files. */
export async function readUses(files: readonly string[]): Promise<UseRecord> {
  return mergeUses(await Promise.all(files.map(readFileUses)));
}

async function readFileUses(file: string): Promise<UseRecord> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new TsopError("TSOP_ROLES_NOT_RECORDED", { file }, { cause });
  });
  try {
    return parseUses(text);
  } catch (cause) {
    throw new TsopError("TSOP_ROLES_FILE_INVALID", { file, reason: messageOf(cause) }, { cause });
  }
}
