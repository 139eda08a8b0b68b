import { timestamp } from "../../apimachinery/time.ts";
import type { Fields } from "./logger.ts";

/** The form of the time in a line of the log, as flag `--zap-time-encoding` names it. */
export type TimeEncoding = "epoch" | "millis" | "nanos" | "iso8601" | "rfc3339" | "rfc3339nano";

export interface Line {
  readonly level: string;
  readonly time: number;
  readonly logger: string;
  readonly message: string;
  /** Plain values: see `PlainValues`. */
  readonly fields: Fields;
  readonly stack: string | undefined;
}

/** Formats a line as a JSON object: level, ts, logger, msg, the fields, stacktrace. */
export function jsonLine(line: Line, encoding: TimeEncoding): string {
  const { level, logger, message, fields, stack } = line;
  const entry: Record<string, unknown> = { level, ts: encodeTime(line.time, encoding) };
  if (logger) entry["logger"] = logger;
  entry["msg"] = message;
  Object.assign(entry, fields);
  if (stack !== undefined) entry["stacktrace"] = stack;
  return JSON.stringify(entry);
}

/** Formats a line as columns separated by tabs: time, LEVEL, logger, message, the fields as JSON; the stack below. */
export function consoleLine(line: Line, encoding: TimeEncoding): string {
  const columns = [String(encodeTime(line.time, encoding)), line.level.toUpperCase()];
  if (line.logger) columns.push(line.logger);
  columns.push(line.message);
  const fields = Object.entries(line.fields).flatMap(([key, value]) => spaced(key, value));
  if (fields.length > 0) columns.push(`{${fields.join(", ")}}`);
  return line.stack === undefined ? columns.join("\t") : `${columns.join("\t")}\n${line.stack}`;
}

function encodeTime(time: number, encoding: TimeEncoding): string | number {
  switch (encoding) {
    case "epoch":
      return time / 1000;
    case "millis":
      return time;
    case "nanos":
      return time * 1e6;
    case "iso8601":
      return new Date(time).toISOString();
    case "rfc3339":
      return timestamp(time);
    case "rfc3339nano":
      return new Date(time).toISOString();
  }
}

/** Formats a field as zap does on a console, with a space after its colon; nothing for values that JSON omits. */
function spaced(key: string, value: unknown): string[] {
  return value === undefined ? [] : [`${JSON.stringify(key)}: ${JSON.stringify(value)}`];
}
