import { goFloat } from "../go-numbers.ts";
import { compareNatural } from "./natural-order.ts";
import { mustEscape, scalarStyle } from "./scalar-style.ts";

/**
 * Writes a value as go-yaml does, byte for byte: keys in natural order, sequences not indented below their key, long
 * text folded. No library writes this style. `undefined` members are omitted; a document starts without `---`.
 *
 * @example
 * const data = { "config.yaml": emitYaml({ maxMemory: "64m", ports: [11211] }) };
 */
export function emitYaml(value: unknown): string {
  const out: string[] = [];
  if (isCollection(value)) block(value, 0, out);
  else out.push(scalar(value, { indent: 2, column: 0, as: "value" }));
  out.push("\n");
  return out.join("");
}

/** Writes several documents, each after its own `---`. */
export function emitYamlDocuments(values: readonly unknown[]): string {
  return values.map((value) => `---\n${emitYaml(value)}`).join("");
}

interface Place {
  /** The indentation of continuation lines. */
  readonly indent: number;
  /** The column where the text starts. */
  readonly column: number;
  readonly as: "key" | "value";
}

type Collection = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Writes a block. The first line is not indented, since the caller is already at `indent`. */
function block(value: Collection, indent: number, out: string[]): void {
  let isFirst = true;
  for (const [key, member] of members(value)) {
    if (!isFirst) out.push(newLine(indent));
    isFirst = false;
    const start = key === undefined ? startItem(member, indent, out) : startEntry(key, member, indent, out);
    if (start !== undefined) block(member as Collection, start, out);
  }
}

/** Yields the items of a sequence, or the members of a mapping with their keys in order. */
function* members(value: Collection): Generator<readonly [key: string | undefined, member: unknown]> {
  if (Array.isArray(value)) {
    for (const item of value) yield [undefined, item];
    return;
  }
  const mapping = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(mapping).sort(compareNatural))
    if (mapping[key] !== undefined) yield [key, mapping[key]];
}

/** Writes an item, or returns the indentation of the block that it is. */
function startItem(item: unknown, indent: number, out: string[]): number | undefined {
  out.push("- ");
  return node(item, indent + 2, out);
}

/** Writes a key and its value, or returns the indentation of the block that is the value. */
function startEntry(key: string, value: unknown, indent: number, out: string[]): number | undefined {
  // YAML does not accept longer keys, or keys with several lines, as "simple keys".
  if (lineBreak.test(key) || (key.length > 32 && Buffer.byteLength(key) > 128)) {
    out.push("? ", scalar(key, { indent: indent + 2, column: indent + 2, as: "value" }), newLine(indent), ": ");
    return node(value, indent + 2, out);
  }
  const name = scalar(key, { indent, column: indent, as: "key" });
  if (isCollection(value)) {
    const inner = Array.isArray(value) ? indent : indent + 2;
    out.push(name, ":", newLine(inner));
    return inner;
  }
  const column = indent + name.length + 2;
  out.push(name, ": ", scalar(value, { indent: indent + 2, column, as: "value" }));
  return undefined;
}

const lineBreak = /[\n\r]/;

function node(value: unknown, indent: number, out: string[]): number | undefined {
  if (isCollection(value)) return indent;
  out.push(scalar(value, { indent, column: indent, as: "value" }));
  return undefined;
}

/** Reports whether a value is a collection; empty ones are written inline, like scalars. */
function isCollection(value: unknown): value is Collection {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some((member) => member !== undefined);
}

function scalar(value: unknown, place: Place): string {
  if (typeof value === "string") return string(value, place);
  if (typeof value === "number") return number(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[]" : "{}";
  return typeof value === "boolean" ? String(value) : "null";
}

function string(text: string, place: Place): string {
  switch (scalarStyle(text, place.as)) {
    case "plain":
      return fold(text, place, { quote: "" });
    case "single":
      return fold(text, place, { quote: "'" });
    case "double":
      return fold(text, place, { quote: '"' });
    case "literal":
      return literal(text, place.indent);
  }
}

function literal(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const chomp = text.endsWith("\n\n") || text === "\n" ? "+" : text.endsWith("\n") ? "" : "-";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = body.split("\n").map((line) => (line ? " ".repeat(indent) + line : ""));
  return `|${hint}${chomp}\n${lines.join("\n")}`;
}

const width = 80;

/** Folds at a blank after 80 characters; inside quotes never at the first or last character. */
function fold(text: string, place: Place, { quote }: { quote: "" | "'" | '"' }): string {
  if (quote !== '"' && place.column + text.length < width)
    return quote + text.replaceAll("'", quote ? "''" : "'") + quote;
  if (quote === "" && place.as === "value") return foldPlain(text, place);
  // Characters beyond U+FFFF are only written in double quotes, escaped.
  const chars = quote === '"' ? Array.from(text) : text;
  let out: string = quote;
  let column = place.column + quote.length;
  let afterBlank = false;
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const blank = char === " ";
    const doubleBlank = chars[at + 1] === " ";
    const edge = quote !== "" && (at === 0 || at === chars.length - 1);
    const mayBreak = place.as === "value" && !afterBlank && !edge && (quote === '"' || !doubleBlank);
    if (blank && mayBreak && column > width) {
      const escape = quote === '"' && doubleBlank ? "\\" : "";
      out += newLine(place.indent) + escape;
      column = place.indent + escape.length;
    } else {
      const written = writeChar(char, quote);
      out += written;
      column += written.length;
    }
    afterBlank = blank;
  }
  return out + quote;
}

/** Folds most long texts, from blank to blank. */
function foldPlain(text: string, { column, indent }: Place): string {
  let out = "";
  let start = 0;
  let startColumn = column;
  for (;;) {
    let at = text.indexOf(" ", start + Math.max(1, width - startColumn + 1));
    while (at >= 0 && (text[at - 1] === " " || text[at + 1] === " ")) at = text.indexOf(" ", at + 1);
    if (at < 0) return out + text.slice(start);
    out += text.slice(start, at) + newLine(indent);
    start = at + 1;
    startColumn = indent;
  }
}

function writeChar(char: string, quote: "" | "'" | '"'): string {
  if (quote === "'" && char === "'") return "''";
  if (quote !== '"') return char;
  if (char === '"' || char === "\\") return `\\${char}`;
  return char === "\n" || mustEscape(char) ? escapeChar(char) : char;
}

function escapeChar(char: string): string {
  const short = shortEscapes.get(char);
  if (short) return `\\${short}`;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

const shortEscapes = new Map([
  ["\0", "0"],
  ["\x07", "a"],
  ["\b", "b"],
  ["\t", "t"],
  ["\n", "n"],
  ["\v", "v"],
  ["\f", "f"],
  ["\r", "r"],
  ["\x1b", "e"],
  ["\x85", "N"],
  ["\u2028", "L"],
  ["\u2029", "P"],
]);

/** Formats a number as go-yaml, which takes it for an integer of 64 bits if it can. */
function number(value: number): string {
  // The shortest digits of -(2 ** 63), -9223372036854776000, are below the smallest integer of 64 bits.
  const isInteger = Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 64;
  return isInteger ? String(value) : goFloat(value);
}

function newLine(indent: number): string {
  return (newLines[indent] ??= `\n${" ".repeat(indent)}`);
}

const newLines: string[] = [];
