/**
 * Returns the line, from 1, of a field such as `spec.containers[0].image` in a YAML text in block style; if the text
 * lacks the field, the line of its nearest parent, or 0.
 */
export function lineOfField(text: string, path: string): number {
  const lines = text.split("\n");
  let [from, to, found] = [0, lines.length, 0];
  for (const step of stepsOf(path)) {
    const at = typeof step === "number" ? findItem(lines, from, to, step) : findKey(lines, from, to, step);
    if (at === undefined) break;
    found = at + 1;
    // An item's first key is on the line of its dash.
    from = typeof step === "number" ? at : at + 1;
    to = endOf(lines, at, to, typeof step === "number");
  }
  return found;
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, index, key]) => {
    if (index === undefined) return key!;
    return /^\d+$/.test(index) ? Number(index) : index.replace(/^"|"$/g, "");
  });
}

function findKey(lines: readonly string[], from: number, to: number, key: string): number | undefined {
  let depth: number | undefined;
  for (let at = from; at < to; at++) {
    const line = lines[at]!.replace(/- /g, "  ");
    if (isEmpty(line)) continue;
    const indent = indentOf(line);
    depth ??= indent;
    if (indent !== depth) continue;
    const name = /^("[^"]*"|'[^']*'|[^\s:][^:]*):(\s|$)/.exec(line.trim())?.[1];
    if (name?.replace(/^["']|["']$/g, "") === key) return at;
  }
  return undefined;
}

function findItem(lines: readonly string[], from: number, to: number, index: number): number | undefined {
  let depth: number | undefined;
  let count = -1;
  for (let at = from; at < to; at++) {
    const line = lines[at]!;
    if (!/^\s*-(\s|$)/.test(line)) continue;
    depth ??= indentOf(line);
    if (indentOf(line) === depth && ++count === index) return at;
  }
  return undefined;
}

/** Returns the line after the value that begins at a line. */
function endOf(lines: readonly string[], start: number, limit: number, isItem: boolean): number {
  const indent = indentOf(lines[start]!);
  for (let at = start + 1; at < limit; at++) {
    const line = lines[at]!;
    if (isEmpty(line)) continue;
    const isDash = /^\s*-(\s|$)/.test(line);
    // A list may be as far to the left as its key.
    if (indentOf(line) < indent || (indentOf(line) === indent && (isItem || !isDash))) return at;
  }
  return limit;
}

function isEmpty(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
