import { TsopError } from "../errors/tsop-error.ts";

/** Refuses work that sends signals to groups of processes on systems without them. */
export function requireSignals(work: string): void {
  if (process.platform === "win32") throw new TsopError("TSOP_NO_SIGNALS", { work });
}
