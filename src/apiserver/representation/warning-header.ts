/**
 * The value of a Warning header (RFC 7234) as API servers use it. Any text will do: it may quote what a client sent, so
 * control characters are blanked and other letters go as UTF-8 bytes, which is what a header can hold.
 */
export function warningHeader(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what a header must not hold
  const printable = text.replace(/[\u0000-\u001f\u007f]+/g, " ").replace(/[\\"]/g, "\\$&");
  return `299 - "${Buffer.from(printable, "utf8").toString("latin1")}"`;
}
