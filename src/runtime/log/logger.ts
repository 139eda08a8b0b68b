/** Structured logging in the manner of logr: a message that never varies, and fields that do. */
export interface Logger {
  info(message: string, fields?: Fields): void;
  /** For something that went wrong; `error` may be anything that was thrown, or `undefined` if nothing was. */
  error(error: unknown, message: string, fields?: Fields): void;
  /** The same as `v(1).info`. */
  debug(message: string, fields?: Fields): void;
  /** A logger whose `info` counts only when verbosity is at least `level`. */
  v(level: number): Logger;
  /** True if `info` of this logger would be written: ask before computing costly fields. */
  readonly enabled: boolean;
  /** A logger with a name; names nest with dots. */
  withName(name: string): Logger;
  /** A logger that adds these fields to every line. */
  withValues(fields: Fields): Logger;
}

/** What a line says beside its message. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes nothing.
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
