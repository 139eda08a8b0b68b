const letter = /\p{L}/u;

/** Compares keys in go-yaml's order: digits by value (`field2` before `field10`), non-letters before letters. */
export function compareNatural(a: string, b: string): number {
  if (a === b) return 0;
  const fast = compareLetters(a, b);
  if (fast !== undefined) return fast;
  const left = Array.from(a);
  const right = Array.from(b);
  for (let at = 0; at < left.length && at < right.length; at++) {
    const x = left[at] ?? "";
    const y = right[at] ?? "";
    if (x !== y) return compareAt(left, right, at);
  }
  return left.length - right.length;
}

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
function compareAt(left: string[], right: string[], at: number): number {
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
  const difference = BigInt(seed + xDigits || "0") - BigInt(seed + yDigits || "0");
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return xDigits.length - yDigits.length || codePoint(x) - codePoint(y);
}

function insideNumber(key: string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && isDigit(key[before]); before--) {
    if (key[before] !== "0") return true;
  }
  return false;
}

function digitsFrom(key: string[], at: number): string {
  let end = at;
  while (isDigit(key[end])) end++;
  return key.slice(at, end).join("");
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0;
}
