import type { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";

export interface Confirmation {
  /** What the user agrees to, a line each. */
  readonly lines: readonly string[];
  readonly message: string;
  /** The flag that agrees in advance. */
  readonly flag: string;
  readonly refuse: TsopError;
}

/** Prints what a command would do besides what it was asked for, and asks; without a terminal, or with a no, it throws. */
export async function confirmOrRefuse(io: Io, { lines, message, flag, refuse }: Confirmation): Promise<void> {
  if (!io.isTTY) throw refuse;
  for (const line of lines) io.stderr.write(`${line}\n`);
  if (!(await io.prompt.confirm({ message, flag, initial: false }))) throw refuse;
}
