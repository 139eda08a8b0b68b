import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** An error for people: of one that a user can meet its code and what to do, of others what they say. */
export function problemText(error: unknown): string {
  if (error instanceof TsopError) return `error: ${error.message}  [${error.code}]\nhint: ${error.hint}`;
  return messageOf(error);
}
