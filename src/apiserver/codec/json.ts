import { joinField } from "../../apimachinery/field-error.ts";
import { mostLevels } from "../../apimachinery/levels.ts";
import { endOfString, measureJson, mostBodyValues, tooManyValues } from "./measure-json.ts";

/**
 * Parses JSON. Throws `JsonSyntaxError` with the message of Go's parser, also for values that are nested too deeply, and
 * 413 for too many values.
 */
export function parseJson(text: string): unknown {
  const { depth, values } = measureJson(text);
  if (values > mostBodyValues) throw tooManyValues(values, mostBodyValues);
  if (depth > mostLevels) scanJson(text, () => {});
  if (manyDigits.test(text)) refuseInfinity(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    scanJson(text, () => {});
    throw error;
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

/** Text that is not JSON, with the message of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  override readonly name: string = "JsonSyntaxError";
}

/** Hears of a key by its path (`spec.items[0].name`), and how many times its object has had it so far. */
type KeyListener = (path: string, times: number) => void;

/**
 * Scans JSON text and reports each key. `JSON.parse` is faster, but ignores duplicates and has other error messages than
 * an API server.
 */
export function scanJson(text: string, onKey: KeyListener): void {
  const scanner = new Scanner(text, onKey);
  scanner.value("", 0);
  scanner.end();
}

class Scanner {
  private readonly text: string;
  private readonly onKey: KeyListener;
  private at = 0;

  constructor(text: string, onKey: KeyListener) {
    this.text = text;
    this.onKey = onKey;
  }

  value(path: string, depth: number): void {
    const char = this.next();
    if (char === "{" || char === "[") {
      if (depth >= mostLevels) this.fail(char, "exceeded max depth");
      if (char === "{") this.object(path, depth + 1);
      else this.array(path, depth + 1);
    } else if (char === '"') this.string();
    else if (char === "-" || isDigit(char)) this.number(char);
    else if (char === "t") this.literal("true");
    else if (char === "f") this.literal("false");
    else if (char === "n") this.literal("null");
    else this.fail(char, "looking for beginning of value");
  }

  end(): void {
    this.skipSpace();
    const rest = this.text[this.at];
    if (rest !== undefined) this.fail(rest, "after top-level value");
  }

  private object(path: string, depth: number): void {
    const seen = new Map<string, number>();
    let char = this.next();
    if (char === "}") return;
    for (;;) {
      if (char !== '"') this.fail(char, "looking for beginning of object key string");
      const key = this.string();
      const here = joinField(path, key);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      this.onKey(here, times);
      char = this.next();
      if (char !== ":") this.fail(char, "after object key");
      this.value(here, depth);
      char = this.next();
      if (char === "}") return;
      if (char !== ",") this.fail(char, "after object key:value pair");
      char = this.next();
    }
  }

  private array(path: string, depth: number): void {
    this.skipSpace();
    if (this.text[this.at] === "]") {
      this.at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.value(`${path}[${index}]`, depth);
      const char = this.next();
      if (char === "]") return;
      if (char !== ",") this.fail(char, "after array element");
    }
  }

  /** Reads a string after its opening quote, and resolves its escapes. */
  private string(): string {
    const start = this.at;
    let escaped = false;
    for (;;) {
      const char = this.take();
      if (char === '"') break;
      if (char < " ") this.fail(char, "in string literal");
      if (char !== "\\") continue;
      escaped = true;
      this.escape();
    }
    const raw = this.text.slice(start - 1, this.at);
    return escaped ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  private escape(): void {
    const char = this.take();
    if ('"\\/bfnrt'.includes(char)) return;
    if (char !== "u") this.fail(char, "in string escape code");
    for (let digits = 0; digits < 4; digits++) {
      const digit = this.take();
      if (!/[0-9a-fA-F]/.test(digit)) this.fail(digit, "in \\u hexadecimal character escape");
    }
  }

  private number(first: string): void {
    const start = first === "-" ? this.digit("in numeric literal") : first;
    if (start !== "0") this.digits();
    if (this.text[this.at] === ".") {
      this.at++;
      this.digit("after decimal point in numeric literal");
      this.digits();
    }
    if (this.text[this.at] === "e" || this.text[this.at] === "E") {
      this.at++;
      if (this.text[this.at] === "+" || this.text[this.at] === "-") this.at++;
      this.digit("in exponent of numeric literal");
      this.digits();
    }
  }

  private digit(context: string): string {
    const char = this.take();
    if (!isDigit(char)) this.fail(char, context);
    return char;
  }

  private digits(): void {
    while (isDigit(this.text[this.at] ?? "")) this.at++;
  }

  /** Reads a literal after its first letter. */
  private literal(word: string): void {
    for (const expected of word.slice(1)) {
      const char = this.take();
      if (char !== expected) this.fail(char, `in literal ${word} (expecting '${expected}')`);
    }
  }

  private next(): string {
    this.skipSpace();
    return this.take();
  }

  private take(): string {
    const char = this.text[this.at++];
    if (char === undefined) throw new JsonSyntaxError("unexpected end of JSON input");
    return char;
  }

  private skipSpace(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char !== " " && char !== "\n" && char !== "\t" && char !== "\r") return;
      this.at++;
    }
  }

  private fail(char: string, context: string): never {
    throw new JsonSyntaxError(`invalid character ${quoteChar(char)} ${context}`);
  }
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

/** Quotes a character like Go, which reads bytes: a character beyond ASCII is shown as its first byte. */
function quoteChar(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  const byte = Buffer.from(char)[0] ?? 0;
  const named: Record<string, string> = {
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
  };
  const shown = named[char] ?? (byte < 0x20 || byte === 0x7f ? `\\x${byte.toString(16).padStart(2, "0")}` : undefined);
  if (shown !== undefined) return `'${shown}'`;
  return char === "\\" ? "'\\\\'" : `'${String.fromCharCode(byte)}'`;
}

/** Finds keys that an object has more than once. */
export function findDuplicates(text: string): string[] {
  const duplicates: string[] = [];
  scanJson(text, (path, times) => {
    if (times === 2 && duplicates.length < mostFindings) duplicates.push(duplicateField(path));
  });
  return duplicates;
}

/** The most findings about unknown and repeated fields that are reported. */
export const mostFindings = 100;

export function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

/** Decodes a body as UTF-8. */
export function bodyText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}
