const width = 120;

/**
 * Formats a JSON value as source text in prettier's style. `indent` is the indentation of the line, `column` the start
 * of the value.
 */
export function formatLiteral(value: unknown, indent: number, column: number): string {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return String(value);
  const members = Array.isArray(value)
    ? value.map((item: unknown) => ({ head: "", value: item }))
    : entriesOf(value).map(([key, member]) => ({ head: `${propertyName(key)}: `, value: member }));
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return open + close;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    const line = value.map((item: unknown) => formatLiteral(item, indent, 0)).join(", ");
    // Three more columns: the brackets, and the comma or semicolon that follows.
    if (column + line.length + 3 <= width) return `[${line}]`;
    if (value.every((item) => typeof item === "number")) return fillNumbers(value, indent);
  }
  const pad = " ".repeat(indent + 2);
  const lines = members.map((member) => pad + memberText(member, indent + 2));
  return `${open}\n${lines.join(",\n")},\n${" ".repeat(indent)}${close}`;
}

/** The shortest `key: ` after which prettier breaks the line: with a shorter one, little space would be gained. */
const breakableHead = "abcde: ".length;

/** Prettier breaks the line after `key:` if a text does not fit. */
function memberText({ head, value }: { head: string; value: unknown }, indent: number): string {
  const text = formatLiteral(value, indent, indent + head.length);
  const tooLong = typeof value === "string" && indent + head.length + text.length + 1 > width;
  return head.length >= breakableHead && tooLong ? `${head.trimEnd()}\n${" ".repeat(indent + 2)}${text}` : head + text;
}

/** Formats numbers, as many to a line as fit. */
function fillNumbers(values: readonly number[], indent: number): string {
  const pad = " ".repeat(indent + 2);
  const lines: string[] = [];
  for (const value of values) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + String(value).length + 1 <= width)
      lines[lines.length - 1] = `${last}, ${value}`;
    else lines.push(pad + String(value));
  }
  return `[\n${lines.join(",\n")},\n${" ".repeat(indent)}]`;
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Quotes a text; prettier prefers double quotes unless single ones need fewer escapes. */
function quote(text: string): string {
  const json = JSON.stringify(text).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  return doubles <= singles ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Writes the name of a property, quoted unless it is an identifier. */
export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}
