import { joinField } from "../../apimachinery/field-error.ts";
import { mostLevels } from "../../apimachinery/levels.ts";
import { endOfString, measureJson, mostBodyValues, tooManyValues } from "./measure-json.ts";

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
