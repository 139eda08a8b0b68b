import { joinField } from "../../apimachinery/field-error.ts";
import { mostLevels } from "../../apimachinery/levels.ts";
import type { ApiError } from "../../apimachinery/status.ts";
import { tooLarge } from "../refusals.ts";

/** Parses JSON. Throws `JsonSyntaxError`, also for values that are nested too deeply, and 413 for too many values. */
export function parseJson(text: string): unknown {
  const { depth, values } = measureJson(text);
  if (values > mostBodyValues) throw tooManyValues(values, mostBodyValues);
  if (depth > mostLevels) throw new JsonSyntaxError("exceeded max depth");
  if (manyDigits.test(text)) refuseInfinity(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    // kubectl prints these words of Go's parser.
    const [, char] = /^Unexpected token '?(.)/su.exec(message) ?? [];
    const start = char && `invalid character '${char}' looking for beginning of value`;
    throw new JsonSyntaxError(start ?? message.charAt(0).toLowerCase() + message.slice(1), { cause: error });
  }
}

const manyDigits = /\d[eE]\+?\d{3}/;

/** Refuses a number that is beyond those of a float64: JSON.parse would make it infinite, and a null when written. */
function refuseInfinity(text: string): void {
  // Begins at the start of a number only: a search from each of its digits takes minutes for a million of them.
  for (const [number] of withoutStrings(text).matchAll(/(?<![\d.])-?\d+(?:\.\d+)?[eE]\+?\d+/g))
    if (!Number.isFinite(Number(number)))
      throw new JsonSyntaxError(`json: cannot unmarshal number ${number} into Go value of type float64`);
}

function withoutStrings(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', from)) {
    parts.push(text.slice(from, start));
    from = endOfString(text, start) + 1;
  }
  return [...parts, text.slice(from)].join('""');
}

/** Text that is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name: string = "JsonSyntaxError";
}

/** An object or a list that is being read. */
interface Frame {
  readonly path: string;
  /** The keys of an object with their times so far; absent for a list. */
  readonly keys: Map<string, number> | undefined;
  /** The key of the value that follows, unless a key follows. */
  key?: string | undefined;
  index: number;
}

/** Finds keys that an object of a valid text has more than once. */
export function findDuplicates(text: string): string[] {
  const duplicates: string[] = [];
  const frames: Frame[] = [];
  for (let at = 0; at < text.length && duplicates.length < mostFindings; at++) {
    const [char, frame] = [text[at], frames.at(-1)];
    if (char === '"') {
      const end = endOfString(text, at);
      if (frame?.keys && frame.key === undefined) {
        frame.key = JSON.parse(text.slice(at, end + 1)) as string;
        const times = (frame.keys.get(frame.key) ?? 0) + 1;
        frame.keys.set(frame.key, times);
        if (times === 2) duplicates.push(`duplicate field ${JSON.stringify(pathIn(frame))}`);
      }
      at = end;
    } else if (char === "{" || char === "[")
      frames.push({ path: frame ? pathIn(frame) : "", keys: char === "{" ? new Map() : undefined, index: 0 });
    else if (char === "}" || char === "]") frames.pop();
    else if (char === "," && frame) [frame.key, frame.index] = [undefined, frame.index + 1];
  }
  return duplicates;
}

function pathIn({ path, keys, key = "", index }: Frame): string {
  return keys ? joinField(path, key) : `${path}[${index}]`;
}

/** The most findings about unknown and repeated fields that are reported. */
export const mostFindings = 100;

export function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

/** Decodes a body as UTF-8. */
export function bodyText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}

/** The size of JSON text that is not parsed yet. */
interface JsonMeasure {
  readonly depth: number;
  /** The values in it; one more for each empty object or list. */
  readonly values: number;
  /** The members of objects: each has a colon outside of strings, and nothing else has. */
  readonly members: number;
}

/** Measures JSON text in one pass over its punctuation, which takes a tenth of the time of parsing. */
export function measureJson(text: string): JsonMeasure {
  let [depth, deepest, values, members] = [0, 0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === comma) values++;
    else if (char === colon) members++;
    else if (char === openBrace || char === openBracket) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === closeBrace || char === closeBracket) depth--;
  }
  return { depth: deepest, values, members };
}

/** Returns the place of the closing quote; the end of the text if it is missing. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Reports whether JSON text has more members than the value that was parsed from it, which means that an object has a
 * key twice. Counting takes a tenth of the time of searching, and hardly any body has a duplicate.
 */
export function hasRepeatedKeys(text: string, value: unknown): boolean {
  return measureJson(text).members !== countMembers(value);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMembers(item), 0);
  let members = 0;
  for (const key in value) members += 1 + countMembers((value as Record<string, unknown>)[key]);
  return members;
}

/**
 * The most values (objects, lists, texts, numbers) of a body, so that its time is bounded before it is decoded. An object of
 * 1.5 MB that has only short fields, such as a CRD without descriptions, has 100,000, and as many fields with managers.
 */
export const mostBodyValues = 250_000;

export function tooManyValues(count: number, most: number): ApiError {
  return tooLarge(`it has ${count} values, the limit is ${most}`);
}
