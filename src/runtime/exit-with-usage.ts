import { TsopError } from "../errors/tsop-error.ts";

/**
 * Ends a program whose command line is not one to start with, as programs in Go end: `--help` shows the flags and is a
 * success; a flag that is wrong is said on standard error, and the exit code is 2. For main.ts.
 */
export function exitWithUsage(error: unknown): never {
  if (!(error instanceof TsopError)) throw error;
  if (error.code === "TSOP_FLAGS_HELP") {
    process.stdout.write(`${error.message}\n`);
    process.exit(0);
  }
  process.stderr.write(`error: ${error.message}  [${error.code}]\nhint: ${error.hint}\n`);
  process.exit(2);
}
