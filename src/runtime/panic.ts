import { messageOf } from "../errors/message-of.ts";
/**
 * True for what nobody throws on purpose: something that is no Error, or an error by which the engine tells of a slip in
 * the program, as Go's panics do. `fetch` wraps a failure of the network in a TypeError, with the failure as its cause.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const slip = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return slip && error.cause === undefined;
}

/** The error that is logged and counted for a panic which is not to end the process. */
export function recoveredPanic(panic: unknown): Error {
  const error = new Error(`panic: ${messageOf(panic)} [recovered]`, { cause: panic });
  if (panic instanceof Error && panic.stack) error.stack = panic.stack;
  return error;
}

/** What the line in the log says about it. */
export function panicFields(panic: unknown): { readonly panic: string; readonly stacktrace: string | undefined } {
  return { panic: messageOf(panic), stacktrace: panic instanceof Error ? panic.stack : undefined };
}
