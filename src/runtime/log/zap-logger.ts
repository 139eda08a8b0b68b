import { visibleControls } from "../../apimachinery/visible-controls.ts";
import { isError } from "../../errors/is-error.ts";
import { coloured, formatLogLine, isRepeatedPanic, plain } from "./format-log-line.ts";
import type { Fields, Logger } from "./logger.ts";
import { PlainValues } from "./plain-values.ts";
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
  const encode = isTerminal ? showingControls(encoderOf(encoder, time)) : encoderOf(encoder, time);
  const now = options.now ?? (() => Date.now());
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
    { level: 0, name: "", values: [] },
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

/** Messages and errors quote objects and servers, whose control characters a terminal would obey. */
function showingControls(encode: Core["encode"]): Core["encode"] {
  return (line) => {
    const text = encode(line);
    return text === undefined ? undefined : visibleControls(text);
  };
}

interface Scope {
  readonly level: number;
  readonly name: string;
  readonly values: readonly Fields[];
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
    if (!core.errors) return;
    const withStack = core.stacks !== "none";
    this.emit("error", message, { fields, thrown: error, stack: withStack && (stackOf(error) ?? true) });
  }

  v(level: number): Logger {
    return new ZapLogger(this.core, { ...this.scope, level: this.scope.level + level });
  }

  withName(name: string): Logger {
    const nested = this.scope.name ? `${this.scope.name}.${name}` : name;
    return new ZapLogger(this.core, { ...this.scope, name: nested });
  }

  withValues(fields: Fields): Logger {
    return new ZapLogger(this.core, { ...this.scope, values: [...this.scope.values, fields] });
  }

  private write(level: number, message: string, fields: Fields | undefined): void {
    if (level > this.core.verbosity) return;
    const name = level === 0 ? "info" : level === 1 ? "debug" : `Level(-${level})`;
    this.emit(name, message, { fields, thrown: undefined, stack: this.core.stacks === "info" });
  }

  private emit(level: string, said: unknown, { fields, thrown, stack }: Details): void {
    const core = this.core;
    const scope = this.scope;
    const time = core.now();
    const plain = new PlainValues();
    const message = plain.text(said);
    if (core.sampler && !core.sampler.takes(level, message, time)) return;
    const all = plain.fields(fields ? [...scope.values, fields] : scope.values);
    if (thrown !== undefined) all["error"] = plain.text(thrown);
    // A recovered error brings its own stack.
    const own = all["stacktrace"] === undefined && (stack === true ? new Error(message).stack : stack);
    const text = core.encode({ level, time, logger: scope.name, message, fields: all, stack: own || undefined });
    if (text !== undefined) core.write(`${text}\n`);
  }
}

interface Details {
  readonly fields: Fields | undefined;
  readonly thrown: unknown;
  /** True for the stack of the call. */
  readonly stack: string | boolean;
}

function verbosityOf(level: NonNullable<ZapOptions["level"]>): number {
  if (typeof level === "number") return level;
  return level === "debug" ? 1 : level === "info" ? 0 : -1;
}

/** Returns the stack of an Error, if it can be read. */
function stackOf(error: unknown): string | undefined {
  try {
    return isError(error) && typeof error.stack === "string" ? error.stack : undefined;
  } catch {
    return undefined;
  }
}

const tickMs = 1000;
const first = 100;
const thereafter = 100;

/** Samples repetitions as zap does: of the same message, the first hundred in a second and then every hundredth. */
class Sampler {
  private readonly counts = new Map<string, number>();
  private tickEnd = Number.NEGATIVE_INFINITY;

  /** Reports whether the line is to be written. */
  takes(level: string, message: string, now: number): boolean {
    if (now >= this.tickEnd || now < this.tickEnd - tickMs) {
      this.counts.clear();
      this.tickEnd = now + tickMs;
    }
    const key = `${level} ${message}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count <= first || (count - first) % thereafter === 0;
  }
}

/** The bytes of lines that may wait in memory. */
const mostWaiting = 16 * 1024 * 1024;

/**
 * Returns a function that writes lines to stderr. Node buffers what a pipe does not take, so that a log without a
 * reader would use all memory. Further lines are dropped, and `note` returns the line that counts them.
 */
function writeToStderr(note: (dropped: number) => string): (line: string) => void {
  let dropped = 0;
  return (line) => {
    const { stderr } = process;
    // Resumes for several lines at once, rather than after each line that was read.
    if (stderr.writableLength > (dropped > 0 ? mostWaiting / 2 : mostWaiting)) dropped++;
    else {
      if (dropped > 0) stderr.write(note(dropped));
      dropped = 0;
      stderr.write(line);
    }
  };
}
