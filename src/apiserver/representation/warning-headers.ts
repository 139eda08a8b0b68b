import { encodeHeader } from "../../apimachinery/header-text.ts";

/** Returns the values of the Warning headers of a response. */
export function warningHeaders(warnings: readonly string[]): string[] {
  return limitWarnings(warnings).map(warningHeader);
}

/**
 * Returns the value of a Warning header (RFC 7234) as API servers write it. The text may quote the request: control
 * characters are blanked, and other letters become UTF-8 bytes, which a header can hold.
 */
function warningHeader(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a header must not hold control characters
  const printable = text.replace(/[\u0000-\u001f\u007f]+/g, " ").replace(/[\\"]/g, "\\$&");
  return `299 - "${encodeHeader(printable)}"`;
}

/** The most characters of all warnings of a response, and of each of them if all are too long. */
const mostWarned = 4096;
const mostOfWarning = 256;

/**
 * Returns the warnings that fit in the headers of a response, which clients limit. Like a real server, cuts each
 * warning only if they are too long together.
 */
function limitWarnings(warnings: readonly string[]): readonly string[] {
  const distinct = [...new Set(warnings)].filter((text) => text !== "");
  const total = distinct.reduce((sum, text) => sum + Array.from(text).length, 0);
  if (total <= mostWarned) return distinct;
  const shown: string[] = [];
  for (let length = 0, at = 0; length < mostWarned && at < distinct.length; at++) {
    const letters = Array.from(distinct[at]!).slice(0, mostOfWarning);
    shown.push(letters.join(""));
    length += letters.length;
  }
  return shown;
}
