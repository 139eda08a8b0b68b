/** Styles of a terminal; without colours every function returns its argument. */
export interface Palette {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

export const plain: Palette = {
  dim: (text) => text,
  bold: (text) => text,
  red: (text) => text,
  yellow: (text) => text,
  green: (text) => text,
  cyan: (text) => text,
};

export const coloured: Palette = {
  dim: paint(2),
  bold: paint(1),
  red: paint(31),
  yellow: paint(33),
  green: paint(32),
  cyan: paint(36),
};

/**
 * Formats a JSON log line of zap for a terminal; returns any other line unchanged. Of a stack, it keeps the frames of
 * the user's own code.
 */
export function formatLogLine(line: string, palette: Palette): string {
  const entry = parseEntry(line);
  if (!entry) return line;
  const { level, ts, logger, msg, error, stacktrace, caller: _caller, ...rest } = entry;
  const stack = stacktrace ?? Object.entries(entry).find(([key]) => isStackOfField(key, entry))?.[1];
  const { panic, ...others } = rest as Record<string, unknown>;
  // The stack of a panic begins with its message.
  const fields = typeof panic === "string" && typeof stack === "string" && stack.includes(panic) ? others : rest;
  const name = typeof logger === "string" && logger ? `${palette.dim(logger)} ` : "";
  const head = `${palette.dim(clockTime(ts))} ${levelMark(level, palette)} ${name}${palette.bold(msg)}`;
  const shown = dropRepeated(fields).filter(([key]) => !isStackOfField(key, entry));
  const details = shown.map(([key, value]) => `${palette.dim(`${key}=`)}${fieldText(value)}`);
  const first = [head, ...details].join(" ");
  return [first, ...failureLines(error, stack, palette)].join("\n");
}

/** Reports whether a field is the stack of another field, which is an error. */
function isStackOfField(key: string, entry: object): boolean {
  return key.endsWith("Verbose") && key.slice(0, -"Verbose".length) in entry;
}

/** Reports whether a line repeats the failure of the line before it, as a recovered panic does. */
export function isRepeatedPanic(line: string): boolean {
  const error = parseEntry(line)?.error;
  return typeof error === "string" && /^panic: [\s\S]* \[recovered\]$/.test(error);
}

/** A stack begins with the error's name and message, except in a line without an error. */
function failureLines(error: unknown, stacktrace: unknown, palette: Palette): string[] {
  const stack = typeof stacktrace === "string" ? stacktrace.split("\n") : [];
  const frames = stack.findIndex((line) => /^\s*at /.test(line));
  const title = stack.slice(0, frames < 0 ? stack.length : frames).join("\n");
  const own = stack.slice(title === "" ? 0 : frames).filter((line) => /^\s*at /.test(line) && !foreignFrame.test(line));
  const message = typeof error === "string" || error === undefined ? error : fieldText(error);
  const reason = message === undefined || title.includes(message) ? title : message;
  const lines = error === undefined && own.length === 0 ? [] : reason.split("\n").filter(Boolean);
  return [...lines.map((line) => `  ${palette.red(line)}`), ...own.map((line) => `  ${palette.dim(line)}`)];
}

/** Frames of packages, of Node, and of the engine. */
const foreignFrame = /[/\\]node_modules[/\\]|\bnode:|\bat (async )?Promise\.\w+ \(index \d+\)|<anonymous>\)?$/;

/** Reports whether a line is one of the steps that a manager logs while it stops. */
export function isShutdownStep(line: string): boolean {
  const entry = parseEntry(line);
  return entry?.level === "info" && shutdownStep.test(entry.msg);
}

const shutdownStep =
  /^(Stopping and waiting for |Wait completed, |Shutdown signal received, |[Ss]hutting down (\w+ )?server\b|All workers finished$)/;

interface LogEntry {
  readonly level: string;
  readonly msg: string;
  readonly ts?: unknown;
  readonly logger?: unknown;
  readonly error?: unknown;
  readonly stacktrace?: unknown;
  readonly caller?: unknown;
}

function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry = JSON.parse(line) as Partial<LogEntry>;
    return typeof entry.msg === "string" && typeof entry.level === "string" ? (entry as LogEntry) : undefined;
  } catch {
    // not a log line
    return undefined;
  }
}

/** Drops the fields that repeat others: group and kind of a controller, namespace and name of the object. */
function dropRepeated(fields: Record<string, unknown>): [string, unknown][] {
  const subject = fields[String(fields["controllerKind"])];
  const known = new Set([
    "controllerGroup",
    "controllerKind",
    ...(isNamespacedName(subject) ? ["namespace", "name"] : []),
  ]);
  return Object.entries(fields).filter(([key]) => !known.has(key));
}

/** Formats the local time of day with milliseconds; zap writes ISO 8601 or seconds since 1970. */
function clockTime(ts: unknown): string {
  const date = typeof ts === "number" ? new Date(ts * 1000) : new Date(String(ts));
  if (Number.isNaN(date.getTime())) return "--:--:--.---";
  const two = (value: number) => String(value).padStart(2, "0");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${time}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function levelMark(level: string, palette: Palette): string {
  const text = level.toUpperCase().padEnd(5);
  if (/^(error|dpanic|panic|fatal)$/i.test(level)) return palette.red(text);
  if (/^warn/i.test(level)) return palette.yellow(text);
  return /^info$/i.test(level) ? palette.green(text) : palette.cyan(text);
}

function fieldText(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (isNamespacedName(value)) return value.namespace ? `${value.namespace}/${value.name}` : value.name;
  return JSON.stringify(value);
}

function isNamespacedName(value: unknown): value is { name: string; namespace?: string } {
  if (typeof value !== "object" || value === null || !("name" in value) || typeof value.name !== "string") return false;
  return Object.keys(value).every((key) => key === "name" || key === "namespace");
}

function paint(code: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[0m`;
}
