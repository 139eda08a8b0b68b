import { CelIssue } from "../values/issue.ts";
import { readNumber, readQuoted } from "./read-literal.ts";
import type { CelValue } from "../values/values.ts";

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
