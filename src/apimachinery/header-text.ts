/** Returns the value of a header for a text: connections write a character as a byte, and the text is in UTF-8. */
export function encodeHeader(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Returns the text of a header, whose characters are bytes of UTF-8. */
export function decodeHeader(value: string): string {
  return Buffer.from(value, "latin1").toString();
}
