/** The two parts of a watch's line. */
export interface EventLine {
  readonly type: string;
  /** The JSON of the object. */
  readonly text: string;
}

const closeBrace = 125;
/** What etcd takes is smaller; of something several times as large an expression can't keep all its places. */
const longest = 4 * 1024 * 1024;
const anyEvent = /^\{"type":"([A-Z]+)","object":\{/;
const text = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
/** Without another list in it; any list of metadata is one, managedFields too. */
const flatList = String.raw`\[[^"[\]]*(?:${text}[^"[\]]*)*\]`;
/** Without another object in it, such as labels. */
const flatObject = String.raw`\{[^"{}]*(?:${text}[^"{}]*)*\}`;
/** Each matches in one way only, so that a line that is different after all is given up at once. */
const fields = String.raw`(?:${text}:(?:${text}|${flatList}|${flatObject}|[^"[{,}]+),)*?`;
const managedEvent = new RegExp(
  String.raw`^\{"type":"([A-Z]+)","object":(\{${fields}"metadata":\{${fields})"managedFields":(?:${flatList}|null)(,?)`,
);

/**
 * Cuts a line of a watch into its type and the object's text, and `metadata.managedFields` out of that. It is half of
 * an object and of no use to an operator, so parsing it would double the cost of a cache; and at a start, when all code
 * is cold, regular expressions are much faster than a loop over bytes. `undefined` if the line isn't what API servers
 * write, compact JSON with the type first and the metadata before all that is deep: then it must be parsed as a whole.
 * Overwrites the line's bytes.
 */
export function cutEventLine(line: Buffer, stripManagedFields: boolean): EventLine | undefined {
  if (line[line.length - 1] !== closeBrace || line.length > longest) return undefined;
  // One character a byte, so that places in the text are places in the line.
  const bytes = line.toString("latin1");
  const cuts = stripManagedFields && bytes.includes('"managedFields":');
  const match = (cuts ? managedEvent : anyEvent).exec(bytes);
  if (!match) return undefined;
  const [matched, type = "", before = "{", comma] = match;
  const [start, end] = [matched.indexOf("{", 1), line.length - 1];
  if (comma === undefined) return { type, text: line.toString("utf8", start, end) };
  const gap = { from: start + before.length, to: matched.length };
  if (!comma && before.endsWith(",")) gap.from--;
  // Closing the gap first makes one flat string; two joined ones would be kept beside their sum.
  line.copyWithin(gap.from, gap.to, end);
  return { type, text: line.toString("utf8", start, end - (gap.to - gap.from)) };
}
