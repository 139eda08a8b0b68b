import { TsopError } from "../../errors/tsop-error.ts";

const installed = Symbol.for("tsop.signalHandler");

/**
 * Returns a signal that aborts on SIGTERM or SIGINT, so that the manager can stop gracefully. A second signal ends the
 * process at once with code 1. Can be called once.
 *
 * @example
 * await mgr.start(setupSignalHandler());
 */
export function setupSignalHandler(): AbortSignal {
  const holder = process as typeof process & { [installed]?: true };
  if (holder[installed]) throw new TsopError("TSOP_SIGNAL_HANDLER_TWICE", {});
  holder[installed] = true;
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  return controller.signal;
}
