import type { Scanner } from "./scanner.ts";
import { parseBareText, parseQuoted } from "./text-value.ts";

/** Parses a value and guesses its type as controller-gen does: quotes, braces, booleans, numbers, else bare text. */
export function parseAny(scanner: Scanner, inside: "nothing" | "list" = "nothing"): unknown {
  if (inside === "nothing" && hasTopLevelSemicolon(scanner)) return parseSemicolonList(scanner);
  const next = scanner.peek();
  if (next === '"' || next === "`") return parseQuoted(scanner);
  if (next === "{") return opensMap(scanner) ? parseMap(scanner) : parseBraceList(scanner);
  const word = scanner.match(/(true|false)(?=\s*([,;}]|$))/y);
  if (word !== undefined) return word === "true";
  const digits = scanner.match(/-?\s*(0[xX][\da-fA-F]+|0[oO]?[0-7]*|[1-9]\d*)(?=\s*([,;}]|$))/y);
  if (digits !== undefined) return integer(digits.replace(/\s/g, ""));
  const fraction = scanner.match(/-?\s*(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?(?=\s*([,;}]|$))/y);
  if (fraction !== undefined) return Number(fraction.replace(/\s/g, ""));
  return parseBareText(scanner);
}

/** Go also reads `0x1F`, `0o17` and `017` as integers. */
function integer(digits: string): number {
  const negative = digits.startsWith("-");
  const size = negative ? digits.slice(1) : digits;
  const value = /^0[0-7]+$/.test(size) ? parseInt(size, 8) : Number(size);
  return negative ? -value : value;
}

function parseSemicolonList(scanner: Scanner): unknown[] {
  const values: unknown[] = [];
  do values.push(parseElement(scanner, values[0]));
  while (scanner.take(";"));
  return values;
}

function parseBraceList(scanner: Scanner): unknown[] {
  const values: unknown[] = [];
  scanner.expect("{");
  if (scanner.take("}")) return values;
  do values.push(parseElement(scanner, values[0]));
  while (scanner.take(","));
  scanner.expect("}");
  return values;
}

/** A list has the type of its first element. */
function parseElement(scanner: Scanner, first: unknown): unknown {
  scanner.skipBlanks();
  const start = scanner.at;
  const value = parseAny(scanner, "list");
  if (first !== undefined && typeOf(first) !== typeOf(value)) {
    scanner.at = start;
    scanner.fail(
      `found a ${typeOf(value)} in a list of ${typeOf(first)}s`,
      "use one type for all elements; quote strings",
    );
  }
  return value;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "map" : typeof value;
}

function parseMap(scanner: Scanner): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  scanner.expect("{");
  if (scanner.take("}")) return map;
  do {
    const key = parseQuoted(scanner) ?? parseBareText(scanner, ",;}:");
    scanner.expect(":");
    Object.defineProperty(map, key, {
      value: parseAny(scanner, "list"),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } while (scanner.take(","));
  scanner.expect("}");
  return map;
}

/** Reports whether a brace opens a map: `{}` and `{text: …` do, everything else in braces is a list. */
function opensMap(scanner: Scanner): boolean {
  const start = scanner.at;
  scanner.expect("{");
  const map = scanner.take("}") || beginsEntry(scanner);
  scanner.at = start;
  return map;
}

function beginsEntry(scanner: Scanner): boolean {
  if (scanner.peek() === "{") return false;
  try {
    if (parseQuoted(scanner) === undefined) parseBareText(scanner, ",;}:");
  } catch {
    // Not a key. Parsing it as a list element reports the error.
    return false;
  }
  return scanner.peek() === ":";
}

function hasTopLevelSemicolon(scanner: Scanner): boolean {
  let depth = 0;
  let quote = "";
  let escaped = false;
  for (const char of scanner.text.slice(scanner.at)) {
    if (quote) quote = char === quote && !escaped ? "" : quote;
    else if (char === '"' || char === "`") quote = char;
    else if (char === "{") depth++;
    else if (char === "}") depth--;
    else if (char === ";" && depth === 0) return true;
    escaped = quote === '"' && char === "\\" && !escaped;
  }
  return false;
}
