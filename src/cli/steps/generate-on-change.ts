import { DiagnosticsError } from "../../errors/diagnostic.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { watchSources } from "../../local/watch-sources.ts";
import type { Io } from "../io.ts";
import { problemText } from "../terminal/texts.ts";

/**
 * Generates now and after each change of the project, until the signal aborts. Reports errors in the sources and
 * continues.
 */
export async function generateOnChange(
  io: Pick<Io, "signal" | "stderr">,
  root: string,
  generateOnce: () => Promise<void>,
): Promise<void> {
  // Watch before the first run, so that a file saved during the run counts as a change.
  const changes = await watchSources(root, io.signal);
  let next = changes.next();
  let failed = false;
  do {
    const succeeded = await tryOnce(io, generateOnce);
    if (!succeeded) io.stderr.write("waiting for a change\n");
    else if (failed) io.stderr.write("the errors are fixed\n");
    failed = !succeeded;
    if ((await next).done) return;
    next = changes.next();
  } while (!io.signal.aborted);
}

async function tryOnce(io: Pick<Io, "signal" | "stderr">, generateOnce: () => Promise<void>): Promise<boolean> {
  try {
    await generateOnce();
    return true;
  } catch (error) {
    if (io.signal.aborted) return true; // an interruption is not a failure
    if (!(error instanceof DiagnosticsError || error instanceof TsopError)) throw error;
    io.stderr.write(`${problemText(error)}\n`);
    return false;
  }
}
