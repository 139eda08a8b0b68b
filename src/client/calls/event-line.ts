/** The two parts of a watch's line. */
export interface EventLine {
  readonly type: string;
  /** The JSON of the object. */
  readonly text: string;
}

const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/**
 * Cuts a line of a watch into its type and the object's text, and `metadata.managedFields` out of that. It is half of
 * an object and of no use to an operator, so parsing it would double the cost of a cache. `undefined` if the line isn't
 * the compact JSON, type first, that API servers write: then it must be parsed as a whole. Overwrites the line's bytes.
 */
export function cutEventLine(line: Buffer, stripManagedFields: boolean): EventLine | undefined {
  const head = /^\{"type":"([A-Z]+)","object":\{/.exec(line.toString("latin1", 0, 40));
  if (!head || line.at(-1) !== closeBrace) return undefined;
  const [start, end] = [head[0].length - 1, line.length - 1];
  const type = head[1]!;
  const cut = stripManagedFields ? managedFieldsSpan(line, start) : undefined;
  if (cut === "unreadable") return undefined;
  if (!cut) return { type, text: line.toString("utf8", start, end) };
  // Closing the gap first makes one flat string; two joined ones would be kept beside their sum.
  line.copyWithin(cut.from, cut.to, end);
  return { type, text: line.toString("utf8", start, end - (cut.to - cut.from)) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where `metadata.managedFields` is, with one of its commas, in the object that begins at `at`. */
function managedFieldsSpan(bytes: Buffer, at: number): Span | "unreadable" | undefined {
  const metadata = findField(bytes, at, "metadata");
  if (typeof metadata !== "object") return metadata;
  if (bytes[metadata.value] !== openBrace) return undefined;
  const field = findField(bytes, metadata.value, "managedFields");
  if (typeof field !== "object") return field;
  const end = skipValue(bytes, field.value);
  if (bytes[end] === comma) return { from: field.key, to: end + 1 };
  return { from: bytes[field.key - 1] === comma ? field.key - 1 : field.key, to: end };
}

/** Where a field of the object at `at` begins, and its value. */
function findField(bytes: Buffer, at: number, name: string): { key: number; value: number } | "unreadable" | undefined {
  for (let i = at + 1; bytes[i] !== closeBrace; i++) {
    if (bytes[i] !== quote) return "unreadable";
    const key = i;
    i = skipString(bytes, i);
    if (bytes[i] !== colon) return "unreadable";
    if (i - key === name.length + 2 && bytes.toString("latin1", key + 1, i - 1) === name) return { key, value: i + 1 };
    i = skipValue(bytes, i + 1);
    if (bytes[i] === closeBrace) return undefined;
    if (bytes[i] !== comma) return "unreadable";
  }
  return undefined;
}

/** The place behind the value that begins at `at`. */
function skipValue(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) i = skipString(bytes, i) - 1;
    else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      // Behind a number or a word, this is the end of what it stands in.
      if (depth === 0) return i;
      depth--;
    } else if (depth > 0 || byte !== comma) continue;
    else return i;
    if (depth === 0) return i + 1;
  }
  return bytes.length;
}

function skipString(bytes: Buffer, at: number): number {
  let i = at + 1;
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i + 1;
}
