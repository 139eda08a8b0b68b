/** The two parts of a line of a watch. */
export interface EventLine {
  readonly type: string;
  /** The JSON of the object. */
  readonly text: string;
}

const closeBrace = 125;
/** etcd stores smaller objects; for one several times as large, a regular expression cannot keep all its positions. */
const longest = 4 * 1024 * 1024;
const anyEvent = /^\{"type":"([A-Z]+)","object":\{/;
const text = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
/** A list without lists in it, as all lists in metadata are, managedFields included. */
const flatList = String.raw`\[[^"[\]]*(?:${text}[^"[\]]*)*\]`;
/** An object without objects in it, such as labels. */
const flatObject = String.raw`\{[^"{}]*(?:${text}[^"{}]*)*\}`;
/** Each field matches in one way only, so that a mismatching line fails without backtracking. */
const fields = String.raw`(?:${text}:(?:${text}|${flatList}|${flatObject}|[^"[{,}]+),)*?`;
const managedEvent = new RegExp(
  String.raw`^\{"type":"([A-Z]+)","object":(\{${fields}"metadata":\{${fields})"managedFields":(?:${flatList}|null)(,?)`,
);

/**
 * Splits a line of a watch into its type and the object's text, and removes `metadata.managedFields`: it is half of an
 * object and useless to an operator, so parsing it would double the cost of a cache. While code is not compiled yet, at
 * a start, a regular expression is much faster than a loop over bytes. Returns `undefined` unless the line is as API
 * servers write it: compact JSON with the type first, and metadata before any deep field. Such a line must be parsed as
 * a whole. Overwrites the line's bytes.
 */
export function cutEventLine(line: Buffer, stripManagedFields: boolean): EventLine | undefined {
  if (line[line.length - 1] !== closeBrace || line.length > longest) return undefined;
  // One character per byte, so that positions in the text are positions in the line.
  const bytes = line.toString("latin1");
  const cuts = stripManagedFields && bytes.includes('"managedFields":');
  const match = (cuts ? managedEvent : anyEvent).exec(bytes);
  if (!match) return undefined;
  const [matched, type = "", before = "{", comma] = match;
  const [start, end] = [matched.indexOf("{", 1), line.length - 1];
  if (comma === undefined) return { type, text: line.toString("utf8", start, end) };
  const gap = { from: start + before.length, to: matched.length };
  if (!comma && before.endsWith(",")) gap.from--;
  // Closing the gap in the buffer makes one flat string; joining two strings would keep all three.
  line.copyWithin(gap.from, gap.to, end);
  return { type, text: line.toString("utf8", start, end - (gap.to - gap.from)) };
}
