import { isError } from "../../errors/is-error.ts";

/** The errors of a chain of causes that a line of the log names. */
const mostErrors = 8;

/**
 * Returns the message with the messages of its causes and parts, since a log line has no room for a chain of stacks.
 */
export function errorText(error: Error, depth = 1): string {
  const message = messageOf(error);
  if (depth === mostErrors) return message;
  const whole = joined(
    message,
    partsOf(error)
      .map((part) => textOf(part, depth))
      .join("; "),
  );
  const { cause } = error;
  if (!isError(cause)) return whole;
  // A message that ends with its cause's, as a TerminalError's, continues with the cause's causes.
  const [last, rest] = [messageOf(cause), errorText(cause, depth + 1)];
  return last && whole.endsWith(last) ? whole + rest.slice(last.length) : joined(whole, rest);
}

/** Returns name, message and stack of an error, followed by those of its parts and causes. */
export function errorStack(error: Error): string {
  const found = new Set<Error>([error]);
  for (const each of found)
    for (const next of [...partsOf(each), each.cause]) if (found.size < mostErrors && isError(next)) found.add(next);
  return Array.from(found, ownStack).join("\n[cause]: ");
}

/** Returns the stack under the present name and message: V8 writes it before a constructor sets a name. */
function ownStack(error: Error): string {
  const { name, stack } = error;
  const message = messageOf(error);
  const text = typeof stack === "string" ? stack : "";
  const frames = text.indexOf("\n    at ", text.includes(message) ? text.indexOf(message) + message.length : 0);
  const title = [typeof name === "string" ? name : "Error", message].filter(Boolean).join(": ");
  return frames < 0 ? title : title + text.slice(frames);
}

/** A program can put anything into the message of an error, also an object. */
function messageOf({ message }: { readonly message: unknown }): string {
  return typeof message === "string" ? message : "";
}

function partsOf(error: Error): readonly unknown[] {
  const { errors } = error as { readonly errors?: unknown };
  return error instanceof AggregateError && Array.isArray(errors) ? errors.slice(0, mostErrors) : [];
}

function textOf(part: unknown, depth: number): string {
  return isError(part) ? errorText(part, depth + 1) : String(part);
}

function joined(message: string, detail: string): string {
  return message.includes(detail) ? message : [message, detail].filter(Boolean).join(": ");
}
