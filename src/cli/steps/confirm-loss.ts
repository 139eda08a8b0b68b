import type { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";

export interface Loss {
  /** The objects that would be deleted with the rest. */
  readonly names: readonly string[];
  readonly message: string;
  /** The flag that agrees in advance. */
  readonly flag: string;
  readonly refuse: TsopError;
}

/**
 * Names the objects that a command would delete besides its own, and asks; without a terminal, or with a no, it throws.
 */
export async function confirmLoss(io: Io, { names, message, flag, refuse }: Loss): Promise<void> {
  if (!io.isTTY) throw refuse;
  for (const name of names) io.stderr.write(`${name}\n`);
  if (!(await io.prompt.confirm({ message, flag, initial: false }))) throw refuse;
}
