import { messageOf } from "../../../errors/message-of.ts";
import { compileRe2 } from "../../re2.ts";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import type { CelValue } from "../values/values.ts";
import { formatText } from "./format-text.ts";

/**
 * CEL's string functions, cel-go's strings library (version 2) and Kubernetes' regular expressions. Positions count
 * characters.
 */
export const stringFunctions: Readonly<Record<string, Run>> = {
  "string -> contains(string): bool": (text: string, part: string) => text.includes(part),
  "string -> startsWith(string): bool": (text: string, part: string) => text.startsWith(part),
  "string -> endsWith(string): bool": (text: string, part: string) => text.endsWith(part),
  "string -> matches(string): bool": matches,
  "matches(string, string): bool": matches,
  "string -> find(string): string": (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? "",
  "string -> findAll(string): list<string>": (text: string, pattern: string) => findAll(text, pattern, -1),
  "string -> findAll(string, int): list<string>": (text: string, pattern: string, most: bigint) =>
    findAll(text, pattern, Number(most)),

  "string -> charAt(int): string": (text: string, index: bigint) => {
    const letters = Array.from(text);
    return letters.slice(checkIndex(index, letters.length), Number(index) + 1).join("");
  },
  "string -> indexOf(string): int": (text: string, part: string) => indexOf(text, part, 0n),
  "string -> indexOf(string, int): int": indexOf,
  "string -> lastIndexOf(string): int": (text: string, part: string) => lastIndexOf(text, part),
  "string -> lastIndexOf(string, int): int": lastIndexOf,
  "string -> lowerAscii(): string": (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  "string -> upperAscii(): string": (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  "string -> replace(string, string): string": (text: string, from: string, to: string) => replace(text, from, to, -1n),
  "string -> replace(string, string, int): string": replace,
  "string -> split(string): list<string>": (text: string, by: string) => split(text, by, -1n),
  "string -> split(string, int): list<string>": split,
  "string -> substring(int): string": (text: string, start: bigint) => {
    const letters = Array.from(text);
    return letters.slice(checkIndex(start, letters.length)).join("");
  },
  "string -> substring(int, int): string": substring,
  "string -> trim(): string": (text: string) => text.trim(),
  "string -> format(list<dyn>): string": (text: string, values: readonly CelValue[]) => formatText(text, values),
  "strings.quote(string): string": quote,
  "list<string> -> join(): string": (items: readonly string[]) => items.join(""),
  "list<string> -> join(string): string": (items: readonly string[], by: string) => items.join(by),
};

function matches(text: string, pattern: string): boolean {
  return compile(pattern).matcher(text).find();
}

function findAll(text: string, pattern: string, most: number): string[] {
  const matcher = compile(pattern).matcher(text);
  const found: string[] = [];
  const limit = most < 0 ? Infinity : most;
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}

function compile(pattern: string): ReturnType<typeof compileRe2> {
  try {
    return compileRe2(pattern);
  } catch (error) {
    throw new CelError(messageOf(error));
  }
}

function checkIndex(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelError(`index out of range: ${index}`);
  return Number(index);
}

function indexOf(text: string, part: string, offset: bigint): bigint {
  const letters = Array.from(text);
  const wanted = Array.from(part);
  if (offset < 0n) throw new CelError(`index out of range: ${offset}`);
  for (let at = Number(offset); at <= letters.length - wanted.length; at++)
    if (wanted.every((letter, index) => letters[at + index] === letter)) return BigInt(at);
  return -1n;
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const letters = Array.from(text);
  const wanted = Array.from(part);
  const last = letters.length - wanted.length;
  if (offset !== undefined && offset < 0n) throw new CelError(`index out of range: ${offset}`);
  if (offset !== undefined && offset >= BigInt(letters.length) && part !== "") return -1n;
  const start = offset === undefined ? last : Math.min(Number(offset), last);
  for (let at = start; at >= 0; at--)
    if (wanted.every((letter, index) => letters[at + index] === letter)) return BigInt(at);
  return -1n;
}

function replace(text: string, from: string, to: string, most: bigint): string {
  if (most === 0n) return text;
  const pieces = from === "" ? ["", ...Array.from(text), ""] : text.split(from);
  const count = most < 0n ? pieces.length - 1 : Math.min(Number(most), pieces.length - 1);
  return [...pieces.slice(0, count), pieces.slice(count).join(from)].join(to);
}

function split(text: string, by: string, most: bigint): string[] {
  if (most === 0n) return [];
  const pieces = by === "" ? Array.from(text) : text.split(by);
  if (most < 0n || pieces.length <= Number(most)) return pieces;
  const kept = Number(most) - 1;
  return [...pieces.slice(0, kept), pieces.slice(kept).join(by)];
}

function substring(text: string, start: bigint, end: bigint): string {
  const letters = Array.from(text);
  if (start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  return letters.slice(checkIndex(start, letters.length), checkIndex(end, letters.length)).join("");
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  return `"${Array.from(text, (letter) => escapes[letter] ?? letter).join("")}"`;
}
