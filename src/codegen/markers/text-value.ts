import type { Scanner } from "./scanner.ts";

/** Parses `"…"` with Go's escapes or a raw string in backticks; returns `undefined` if neither follows. */
export function parseQuoted(scanner: Scanner): string | undefined {
  const quote = scanner.peek();
  if (quote !== '"' && quote !== "`") return undefined;
  const start = scanner.at++;
  let value = "";
  for (;;) {
    const char = scanner.text[scanner.at];
    if (char === undefined) {
      scanner.at = start;
      return scanner.fail("the quoted string is not closed", `add the closing ${quote}`);
    }
    scanner.at++;
    if (char === quote) return value;
    value += char === "\\" && quote === '"' ? escape(scanner) : char;
  }
}

/** Parses text without quotes, up to a comma, semicolon, closing brace or the end. */
export function parseBareText(scanner: Scanner, stops = ",;}"): string {
  scanner.skipBlanks();
  const start = scanner.at;
  let quote = "";
  for (let char = scanner.text[scanner.at]; char !== undefined; char = scanner.text[++scanner.at]) {
    if (quote) quote = char === quote ? "" : quote;
    else if (char === '"' || char === "`") quote = char;
    else if (stops.includes(char)) break;
  }
  if (quote) {
    scanner.at = start;
    scanner.fail(`a ${quote} is not closed`, 'quote the whole string: `…`, or "…" with \\" inside');
  }
  const value = scanner.text.slice(start, scanner.at).trim();
  return value || scanner.fail("a value is missing", 'write "" for the empty string');
}

function escape(scanner: Scanner): string {
  const char = scanner.text[scanner.at] ?? "";
  const simple = simpleEscapes.get(char);
  if (simple !== undefined) {
    scanner.at++;
    return simple;
  }
  const code = codeEscape.exec(scanner.text.slice(scanner.at));
  if (!code)
    return scanner.fail(`"\\${char}" is not an escape sequence`, "write \\\\ for a backslash, or use backticks: `…`");
  scanner.at += code[0].length;
  const [, hex2, hex4, hex8, octal] = code;
  const point = octal ? parseInt(octal, 8) : parseInt(hex2 ?? hex4 ?? hex8 ?? "", 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : scanner.fail("this code is not a Unicode character");
}

const codeEscape = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/;

const simpleEscapes = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ['"', '"'],
]);
