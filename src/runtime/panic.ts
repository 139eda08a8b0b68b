import { isError } from "../errors/is-error.ts";
import { messageOf } from "../errors/message-of.ts";

/**
 * Reports whether a thrown value is unexpected: not an Error, or an error by which the engine reports a mistake in the
 * program, like Go's panics. `fetch` wraps network failures in a TypeError with a cause, which do not count.
 */
export function isPanic(error: unknown): boolean {
  if (!isError(error)) return true;
  const slip = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return slip && error.cause === undefined;
}

/** Returns the error to log and count for a panic that does not end the process. */
export function recoveredPanic(panic: unknown): Error {
  const error = new Error(`panic: ${messageOf(panic)} [recovered]`, { cause: panic });
  if (isError(panic) && panic.stack) error.stack = panic.stack;
  return error;
}

/** Returns the log fields of a panic. */
export function panicFields(panic: unknown): { readonly panic: string; readonly stacktrace: string | undefined } {
  return { panic: messageOf(panic), stacktrace: isError(panic) ? panic.stack : undefined };
}
