import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Formats an error for the terminal: with its code and hint if it has them, else as its message. */
export function problemText(error: unknown): string {
  if (error instanceof TsopError) return `error: ${error.message}  [${error.code}]\nhint: ${error.hint}`;
  return messageOf(error);
}
