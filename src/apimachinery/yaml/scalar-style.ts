export type ScalarStyle = "plain" | "single" | "double" | "literal";

/** Returns the style in which go-yaml writes a string. Keys are never literal blocks. */
export function scalarStyle(text: string, as: "key" | "value"): ScalarStyle {
  if (word.test(text) && !words.has(text)) return "plain";
  const escapes = mustEscape(text);
  if (text.includes("\n")) {
    const block = !escapes && as === "value" && !/ (\n|$)/.test(text);
    return block ? "literal" : "double";
  }
  if (escapes || readsAsOtherType(text)) return "double";
  return plainAllowed(text) ? "plain" : "single";
}

/** Matches most keys and many values. */
const word = /^[A-Za-z][A-Za-z0-9]*$/;

/**
 * Reports whether the text contains characters that YAML cannot print: control characters, tabs, line separators,
 * beyond U+FFFF.
 */
export function mustEscape(text: string): boolean {
  return unprintable.test(text);
}

// go-yaml writes line separators unescaped; escaped, the value is the same and safer to edit.
const unprintable = /[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Reports whether plain text would be parsed as null, a boolean, a number, a base-60 number or a date (YAML 1.1). */
function readsAsOtherType(text: string): boolean {
  if (text === "" || words.has(text)) return true;
  if (!/^[-+.\d]/.test(text)) return false;
  return isNumber(text) || base60.test(text) || isTimestamp(text);
}

const words = new Set(
  (
    "~ null Null NULL true True TRUE false False FALSE y Y yes Yes YES n N no No NO on On ON off Off OFF " +
    ".nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF"
  ).split(" "),
);

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const decimal = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const prefixed = /^[-+]?0([xX][0-9a-fA-F]+|[bB][01]+|[oO][0-7]+)$/;

function isNumber(text: string): boolean {
  // go-yaml parses a leading dot separately, without underscores.
  const digits = text.startsWith(".") ? text : text.replaceAll("_", "");
  if (decimal.test(digits)) return true;
  if (!prefixed.test(digits)) return false;
  const negative = digits.startsWith("-");
  const size = BigInt(digits.replace(/^[-+]/, ""));
  return negative || digits.startsWith("+") ? size < 2n ** 63n + (negative ? 1n : 0n) : size < 2n ** 64n;
}

const clock = String.raw`(\d{1,2}:\d{1,2}:\d{1,2})(?:[.,]\d+)?`;
const timestamp = new RegExp(String.raw`^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]${clock}(?:Z|[-+]\d\d:\d\d)| ${clock})?$`);

/** Reports whether a text is a date that exists: `2024-13-45` stays plain. */
function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (!match) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = (match[4] ?? match[5] ?? "0").split(":").map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
  return isDay && hour < 24 && minute < 60 && second < 60;
}

/** Reports whether block context allows the text without quotes. */
function plainAllowed(text: string): boolean {
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text)) return false;
  if (/^[-?:]( |$)/.test(text)) return false;
  if (/^ | $|^---|^\.\.\./.test(text)) return false;
  return !/:( |$)| #/.test(text);
}
