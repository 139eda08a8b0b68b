import { timestamp } from "../../apimachinery/time.ts";
import type { Fields } from "./logger.ts";

/** The form of the time in a line of the log, as flag `--zap-time-encoding` names it. */
export type TimeEncoding = "epoch" | "millis" | "nanos" | "iso8601" | "rfc3339" | "rfc3339nano";

export interface Line {
  readonly level: string;
  readonly time: number;
  readonly logger: string;
  readonly message: string;
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
  return stringify(entry, shortened);
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
  const text = stringify({ value }, undefined).slice('{"value":'.length, -1);
  return text === "" ? [] : [`${JSON.stringify(key)}: ${text}`];
}

type Replacer = (key: string, value: unknown) => unknown;

function stringify(fields: Fields, replacer: Replacer | undefined): string {
  try {
    return JSON.stringify(fields, replacer);
  } catch {
    // A circular value or a BigInt must not lose the line, so the field becomes text.
    return JSON.stringify(
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, printable(value, replacer)])),
    );
  }
}

function printable(value: unknown, replacer: Replacer | undefined): unknown {
  try {
    JSON.stringify(value, replacer);
    return value;
  } catch {
    return String(value);
  }
}

/** Replaces a Kubernetes object by its identity: a whole object would flood the log and reveal Secrets. */
function shortened(_key: string, value: unknown): unknown {
  if (value instanceof Error) return value.message;
  if (typeof value !== "object" || value === null || !("metadata" in value)) return value;
  const { apiVersion, kind, metadata } = value as { apiVersion?: unknown; kind?: unknown; metadata: Fields | null };
  if (typeof metadata !== "object" || metadata === null || !("name" in metadata)) return value;
  return { apiVersion, kind, namespace: metadata["namespace"], name: metadata["name"] };
}
