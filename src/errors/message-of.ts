import { isError } from "./is-error.ts";

/** Returns the message of an error, or the text of any other thrown value. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}
