const letter = /\p{L}/u;

/** Compares keys in go-yaml's order: digits by value (`field2` before `field10`), non-letters before letters. */
export function compareNatural(a: string, b: string): number {
  if (a === b) return 0;
  const fast = compareLetters(a, b);
  if (fast !== undefined) return fast;
  // Characters beyond U+FFFF take two units of a string.
  const isWide = surrogate.test(a) || surrogate.test(b);
  const left = isWide ? Array.from(a) : a;
  const right = isWide ? Array.from(b) : b;
  for (let at = 0; at < left.length && at < right.length; at++) {
    if (left[at] !== right[at]) return compareAt(left, right, at);
  }
  return left.length - right.length;
}

/** The characters of a key. */
type Characters = string | readonly string[];

const surrogate = /[\ud800-\udfff]/;

/** Compares keys that first differ in two ASCII letters, or of which one is a prefix; most do. */
function compareLetters(a: string, b: string): number | undefined {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === a.length || at === b.length) return a.length - b.length;
  const x = a.charCodeAt(at);
  const y = b.charCodeAt(at);
  return isLetter(x) && isLetter(y) ? x - y : undefined;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Compares at the first position where the keys differ. */
function compareAt(left: Characters, right: Characters, at: number): number {
  const x = left[at] ?? "";
  const y = right[at] ?? "";
  const xIsLetter = letter.test(x);
  const yIsLetter = letter.test(y);
  if (xIsLetter && yIsLetter) return codePoint(x) - codePoint(y);
  if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
  // A zero inside a number counts with the digits before it: `10` after `1`, `1_` before `10`.
  const seed = (x === "0" || y === "0") && insideNumber(left, at) ? "1" : "";
  const xDigits = digitsFrom(left, at);
  const yDigits = digitsFrom(right, at);
  const difference = compareDigits(seed + xDigits, seed + yDigits);
  if (difference !== 0) return difference;
  return xDigits.length - yDigits.length || codePoint(x) - codePoint(y);
}

/** Compares two numbers, which may be longer than a number of JavaScript is exact. */
function compareDigits(a: string, b: string): number {
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b);
  const difference = BigInt(a || "0") - BigInt(b || "0");
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function insideNumber(key: Characters, at: number): boolean {
  for (let before = at - 1; before >= 0 && isDigit(key[before]); before--) {
    if (key[before] !== "0") return true;
  }
  return false;
}

function digitsFrom(key: Characters, at: number): string {
  let digits = "";
  for (let end = at; isDigit(key[end]); end++) digits += key[end]!;
  return digits;
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0;
}
