/** Structured logging in the manner of logr: constant messages with variable fields. */
export interface Logger {
  info(message: string, fields?: Fields): void;
  /** Logs an error; `error` can be any thrown value, or `undefined`. */
  error(error: unknown, message: string, fields?: Fields): void;
  /** Equals `v(1).info`. */
  debug(message: string, fields?: Fields): void;
  /** Returns a logger whose `info` writes only if the verbosity is at least `level`. */
  v(level: number): Logger;
  /** True if `info` of this logger writes: check it before computing costly fields. */
  readonly enabled: boolean;
  /** Returns a logger with a name; nested names are joined with dots. */
  withName(name: string): Logger;
  /** Returns a logger that adds these fields to every line. */
  withValues(fields: Fields): Logger;
}

/** The fields of a line. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A logger that writes nothing.
 *
 * @example
 * const quiet = await createManager(await loadConfig(), { logger: discardLogger });
 */
export const discardLogger: Logger = {
  info: () => undefined,
  error: () => undefined,
  debug: () => undefined,
  v: () => discardLogger,
  enabled: false,
  withName: () => discardLogger,
  withValues: () => discardLogger,
};
