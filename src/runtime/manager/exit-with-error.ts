import { inspect } from "node:util";
import { visibleControls } from "../../apimachinery/visible-controls.ts";
import { isError } from "../../errors/is-error.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { errorStack } from "../log/error-text.ts";
import { PlainValues } from "../log/plain-values.ts";

/**
 * Ends a program because of an uncaught error. An error that the user can fix, such as a wrong flag or a missing
 * cluster, is printed with its hint instead of a stack; any other with its stack. The exit code is 1, or 2 for a wrong
 * flag, and 0 for `--help`, as in Go programs. For main.ts, the only place that should end a process.
 *
 * @example
 * process.on("uncaughtException", exitWithError);
 */
export function exitWithError(error: unknown): never {
  if (!(error instanceof TsopError)) {
    writeTo(process.stderr, `${textOf(error)}\n`);
    process.exit(1);
  }
  if (error.code === "TSOP_FLAGS_HELP") {
    writeTo(process.stdout, `${error.message}\n`);
    process.exit(0);
  }
  writeTo(process.stderr, `error: ${error.message}  [${error.code}]\nhint: ${error.hint}\n`);
  process.exit(error.code === "TSOP_FLAG_INVALID" ? 2 : 1);
}

/** An error may quote a server, whose control characters a terminal would obey. */
function writeTo(stream: NodeJS.WriteStream, text: string): void {
  stream.write(stream.isTTY ? visibleControls(text) : text);
}

/** Returns the text of an error without its other fields, which may hold a Secret. */
function textOf(error: unknown): string {
  if (isError(error)) return errorStack(error);
  return typeof error === "object" ? new PlainValues().text(error) : inspect(error);
}
