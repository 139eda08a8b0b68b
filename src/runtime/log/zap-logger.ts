import { isError } from "../../errors/is-error.ts";
import { coloured, formatLogLine, isRepeatedPanic, plain } from "./format-log-line.ts";
import type { Fields, Logger } from "./logger.ts";
import { Sampler } from "./sampler.ts";
import { writeToStderr } from "./write-to-stderr.ts";
import { consoleLine, jsonLine, type Line, type TimeEncoding } from "./zap-encoders.ts";

/** The level, format and target of a log; the `--zap-*` flags set the same options. */
export interface ZapOptions {
  /**
   * Console format, debug level and stack traces from warnings on; otherwise JSON, info level and stack traces from
   * errors on.
   */
  readonly development?: boolean;
  /** The default on a terminal is `readable`, the form of `tsop run --local`. */
  readonly encoder?: "json" | "console" | "readable" | undefined;
  /** `debug` is verbosity 1; a number is that verbosity. */
  readonly level?: "debug" | "info" | "error" | "panic" | number | undefined;
  readonly stacktraceLevel?: "info" | "warn" | "error" | "panic" | undefined;
  readonly timeEncoding?: TimeEncoding | undefined;
  /**
   * Drops most repetitions within a second. The default is zap's: true, except in development or at verbosity 2 and
   * above.
   */
  readonly sampling?: boolean;
  /** Writes lines with their line end; the default is stderr. */
  readonly write?: (line: string) => void;
  readonly now?: () => number;
}

interface Core {
  /** Returns nothing for a line that says nothing new. */
  readonly encode: (line: Line) => string | undefined;
  /** The highest verbosity that is written; -1 for errors only. */
  readonly verbosity: number;
  readonly errors: boolean;
  readonly stacks: "info" | "error" | "none";
  readonly sampler: Sampler | undefined;
  readonly write: (line: string) => void;
  readonly now: () => number;
}

/**
 * Creates a logger with zap's two formats and field names, as controller-runtime sets them up.
 *
 * @example
 * const log = zapLogger({ development: true }).withName("backup");
 * log.info("Started", { at: new Date().toISOString() });
 */
export function zapLogger(options: ZapOptions = {}): Logger {
  const development = options.development ?? false;
  const isTerminal = !options.write && process.stderr.isTTY;
  const encoder = options.encoder ?? (development ? "console" : isTerminal ? "readable" : "json");
  const time = options.timeEncoding ?? (encoder === "readable" ? "rfc3339nano" : "rfc3339");
  const stacks = options.stacktraceLevel ?? (development ? "warn" : "error");
  const verbosity = verbosityOf(options.level ?? (development ? "debug" : "info"));
  const sampling = options.sampling ?? (!development && verbosity < 2);
  const encode = encoderOf(encoder, time);
  const now = options.now ?? Date.now;
  const note = (lines: number): string => {
    const message = "Dropped lines of the log, as nobody read it";
    return `${encode({ level: "info", time: now(), logger: "", message, fields: { lines }, stack: undefined })}\n`;
  };
  return new ZapLogger(
    {
      encode,
      verbosity,
      errors: options.level !== "panic",
      stacks: stacks === "info" ? "info" : stacks === "panic" ? "none" : "error",
      sampler: sampling ? new Sampler() : undefined,
      write: options.write ?? writeToStderr(note),
      now,
    },
    { level: 0, name: "", values: {} },
  );
}

function encoderOf(name: NonNullable<ZapOptions["encoder"]>, time: TimeEncoding): Core["encode"] {
  if (name === "json") return (line) => jsonLine(line, time);
  if (name === "console") return (line) => consoleLine(line, time);
  const palette = process.stderr.isTTY && !process.env["NO_COLOR"] ? coloured : plain;
  return (line) => {
    const json = jsonLine(line, time);
    return isRepeatedPanic(json) ? undefined : formatLogLine(json, palette);
  };
}

interface Scope {
  readonly level: number;
  readonly name: string;
  readonly values: Fields;
}

class ZapLogger implements Logger {
  private readonly core: Core;
  private readonly scope: Scope;

  constructor(core: Core, scope: Scope) {
    this.core = core;
    this.scope = scope;
  }

  get enabled(): boolean {
    return this.scope.level <= this.core.verbosity;
  }

  info(message: string, fields?: Fields): void {
    this.write(this.scope.level, message, fields);
  }

  debug(message: string, fields?: Fields): void {
    this.write(this.scope.level + 1, message, fields);
  }

  error(error: unknown, message: string, fields?: Fields): void {
    const core = this.core;
    const scope = this.scope;
    if (!core.errors) return;
    // A recovered error brings its own stack.
    const withStack = core.stacks !== "none" && fields?.["stacktrace"] === undefined;
    const stack = withStack ? (isError(error) ? error : new Error(message)).stack : undefined;
    const cause = error === undefined ? undefined : { error: errorText(error) };
    this.emit("error", { message, fields: { ...scope.values, ...fields, ...cause }, stack });
  }

  v(level: number): Logger {
    return new ZapLogger(this.core, { ...this.scope, level: this.scope.level + level });
  }

  withName(name: string): Logger {
    const nested = this.scope.name ? `${this.scope.name}.${name}` : name;
    return new ZapLogger(this.core, { ...this.scope, name: nested });
  }

  withValues(fields: Fields): Logger {
    return new ZapLogger(this.core, { ...this.scope, values: { ...this.scope.values, ...fields } });
  }

  private write(level: number, message: string, fields: Fields | undefined): void {
    if (level > this.core.verbosity) return;
    const all = fields ? { ...this.scope.values, ...fields } : this.scope.values;
    const stack = this.core.stacks === "info" ? new Error(message).stack : undefined;
    this.emit(level === 0 ? "info" : level === 1 ? "debug" : `Level(-${level})`, { message, fields: all, stack });
  }

  private emit(level: string, rest: { message: string; fields: Fields; stack: string | undefined }): void {
    const core = this.core;
    const scope = this.scope;
    const time = core.now();
    if (core.sampler && !core.sampler.takes(level, rest.message, time)) return;
    const text = core.encode({ level, time, logger: scope.name, ...rest });
    if (text !== undefined) core.write(`${text}\n`);
  }
}

function verbosityOf(level: NonNullable<ZapOptions["level"]>): number {
  if (typeof level === "number") return level;
  return level === "debug" ? 1 : level === "info" ? 0 : -1;
}

/** Returns the message with those of its causes and parts, since a log line has no room for a chain of stacks. */
function errorText(error: unknown): string {
  if (!isError(error)) return String(error);
  const parts = error instanceof AggregateError ? error.errors.map(errorText).join("; ") : "";
  const message = joined(error.message, parts);
  if (!isError(error.cause)) return message;
  // A message that ends with that of its cause, as a TerminalError's, goes on with the cause's causes.
  const [{ message: last }, whole] = [error.cause, errorText(error.cause)];
  return last && message.endsWith(last) ? message + whole.slice(last.length) : joined(message, whole);
}

function joined(message: string, detail: string): string {
  return message.includes(detail) ? message : [message, detail].filter(Boolean).join(": ");
}
