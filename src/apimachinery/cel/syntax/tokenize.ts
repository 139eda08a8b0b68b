import { CelIssue } from "../values/issue.ts";
import { type CelValue, CelUint } from "../values/values.ts";

export interface Token {
  readonly kind: "identifier" | "literal" | "symbol" | "end";
  readonly at: number;
  readonly text: string;
  readonly value?: CelValue;
}

const symbols = /&&|\|\||[=!<>]=|[-+*/%!<>()[\]{},.:?]/y;
const words = /[A-Za-z_][A-Za-z0-9_]*/y;
const numbers = /0x[0-9a-fA-F]+[uU]?|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?[uU]?/y;
const quotes = /(?:[rR][bB]?|[bB][rR]?)?("""|'''|"|')/y;
const blanks = /(?:[\s]|\/\/[^\n]*)+/y;
const escapedNames = /`([A-Za-z0-9_./\- ]+)`/y;

/** Splits CEL source into tokens; the last one marks the end. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const push = (kind: Token["kind"], text: string, value?: CelValue): void => {
    tokens.push(value === undefined ? { kind, at, text } : { kind, at, text, value });
    at += text.length;
  };
  while (at < source.length) {
    const blank = match(blanks);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const quote = match(quotes);
    const word = quote === undefined ? match(words) : undefined;
    const number = match(numbers);
    const name = match(escapedNames);
    const symbol = match(symbols);
    if (quote !== undefined) {
      const { text, value } = readQuoted(source, at, quote);
      push("literal", text, value);
    } else if (word !== undefined) push("identifier", word);
    else if (number !== undefined) push("literal", number, readNumber(number, at));
    else if (name !== undefined) push("identifier", name);
    else if (symbol !== undefined) push("symbol", symbol);
    else throw new CelIssue(at, `Syntax error: token recognition error at: '${source[at]}'`);
  }
  push("end", "");
  return tokens;
}

/** Parses a number: int, uint (`u`) or double. */
function readNumber(text: string, at: number): CelValue {
  const isHex = /^0x/i.test(text);
  if (/[uU]$/.test(text)) {
    const value = BigInt(text.slice(0, -1));
    if (value >= 2n ** 64n) throw new CelIssue(at, "invalid uint literal");
    return new CelUint(value);
  }
  if (!isHex && /[.eE]/.test(text)) return Number(text);
  // The parser checks the range where the sign is known: the minimum has one more.
  const value = BigInt(text);
  if (value > 2n ** 63n) throw new CelIssue(at, "invalid int literal");
  return value;
}

/** Parses a string or bytes literal that starts at `at` with the given prefix and quote. */
function readQuoted(source: string, at: number, opening: string): { text: string; value: CelValue } {
  const quote = /["']+$/.exec(opening)![0];
  const prefix = opening.slice(0, -quote.length).toLowerCase();
  const isRaw = prefix.includes("r");
  let end = at + opening.length;
  for (; !source.startsWith(quote, end); end++) {
    const isOpen = end >= source.length || (quote.length === 1 && source[end] === "\n");
    if (isOpen) throw new CelIssue(at, `Syntax error: token recognition error at: '${source.slice(at, end)}'`);
    if (source[end] === "\\" && !isRaw) end++;
  }
  const body = source.slice(at + opening.length, end);
  const isBytes = prefix.includes("b");
  const value = isRaw ? (isBytes ? new TextEncoder().encode(body) : body) : unescapeText(body, isBytes, at);
  return { text: source.slice(at, end + quote.length), value };
}

const simple: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
  "?": "?",
};

const escapes =
  /\\(?:([abfnrtv\\'"`?])|x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]?))/g;

function unescapeText(body: string, isBytes: boolean, at: number): CelValue {
  const bytes: number[] = [];
  let text = "";
  let last = 0;
  const add = (piece: string): void => {
    if (isBytes) bytes.push(...new TextEncoder().encode(piece));
    else text += piece;
  };
  for (const match of body.matchAll(escapes)) {
    add(body.slice(last, match.index));
    last = match.index + match[0].length;
    const [, letter, x, X, u, U, octal] = match;
    const code = Number.parseInt(x ?? X ?? u ?? U ?? "", 16);
    if (letter !== undefined) add(simple[letter]!);
    else if (octal !== undefined) addCode(Number.parseInt(octal, 8), true);
    else if (Number.isNaN(code) || code > 0x10ffff) throw new CelIssue(at, "invalid escape sequence");
    else addCode(code, x !== undefined || X !== undefined);
  }
  add(body.slice(last));
  return isBytes ? Uint8Array.from(bytes) : text;

  function addCode(code: number, isByte: boolean): void {
    if (isBytes && isByte) bytes.push(code);
    else add(String.fromCodePoint(code));
  }
}
