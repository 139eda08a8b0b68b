/** Edits a text as one with LF, and gives the result the line ends that the text has. */
export function keepLineEnds(text: string, edit: (text: string) => string): string {
  const before = text.replaceAll("\r\n", "\n");
  const after = edit(before);
  return after === before ? text : followLineEnds(after, text);
}

/** Returns a text with CRLF if most lines of another one have it, as an editor on Windows writes them. */
export function followLineEnds(text: string, other: string): string {
  const lines = other.split("\n").slice(0, -1);
  const isWindows = lines.filter((line) => line.endsWith("\r")).length * 2 > lines.length;
  return isWindows ? text.replace(/\r?\n/g, "\r\n") : text;
}
