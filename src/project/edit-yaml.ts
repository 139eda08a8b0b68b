import { equalJson } from "../apimachinery/equal.ts";
import { isObject } from "../apimachinery/is-object.ts";
import { parseYamlDocuments } from "../apimachinery/yaml/parse.ts";
import { emitYaml } from "../apimachinery/yaml/emit.ts";

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Changes a YAML document so that it parses as `next`. Unchanged parts keep their lines with comments, order and style.
 */
export function editYaml(text: string, next: Mapping): string {
  const current = parseYamlDocuments(text)[0] as Mapping;
  const lines = text.split("\n");
  const end = lines.at(-1) === "" ? lines.pop() : undefined;
  const edited = [...editMapping(lines, current, next), ...(end === undefined ? [] : [end])].join("\n");
  // Flow style, anchors and other syntax that the line editor does not understand: write the whole document again.
  return reads(edited, next) ? edited : emitYaml(next);
}

function reads(text: string, wanted: Mapping): boolean {
  try {
    return equalJson(parseYamlDocuments(text)[0], wanted);
  } catch {
    return false; // not YAML at all
  }
}

/** An entry of a mapping or a sequence: the comments above it, and its lines. */
interface Entry {
  readonly leading: readonly string[];
  readonly lines: readonly string[];
}

function editMapping(lines: readonly string[], current: Mapping, next: Mapping): string[] {
  const { entries, trailing } = splitEntries(lines, /^[^\s#-]/);
  const keyed = entries.map((entry) => ({ ...entry, key: keyOf(entry.lines[0]!) }));
  const kept = keyed
    .filter(({ key }) => key in next)
    .map(({ key, leading, lines }) => ({
      key,
      lines: [...leading, ...editEntry(lines, key, current[key], next[key])],
    }));
  for (const key of Object.keys(next).filter((key) => !keyed.some((entry) => entry.key === key))) {
    const after = kept.findIndex((entry) => entry.key > key);
    kept.splice(after < 0 ? kept.length : after, 0, { key, lines: emitLines({ [key]: next[key] }) });
  }
  return [...kept.flatMap(({ lines }) => lines), ...trailing];
}

function editEntry(lines: readonly string[], key: string, current: unknown, next: unknown): readonly string[] {
  if (equalJson(current, next)) return lines;
  const [head, ...body] = lines as [string, ...string[]];
  const isBlock = /:\s*(#.*)?$/.test(head);
  if (isBlock && isObject(current) && isObject(next)) {
    return [head, ...editIndented(body, (inner) => editMapping(inner, current, next))];
  }
  if (isBlock && Array.isArray(current) && Array.isArray(next) && next.length > 0) {
    return [head, ...editIndented(body, (inner) => editSequence(inner, current, next))];
  }
  return emitLines({ [key]: next });
}

/** Edits a sequence. Unchanged items keep their lines; a replaced item edits the lines of the old one. */
function editSequence(lines: readonly string[], current: readonly unknown[], next: readonly unknown[]): string[] {
  const { entries, trailing } = splitEntries(lines, /^-(\s|$)/);
  const edited = next.flatMap((item, index) => {
    const same = current.findIndex((other) => equalJson(other, item));
    const entry = entries[same];
    if (entry) return [...entry.leading, ...entry.lines];
    const [before, place] = [current[index], entries[index]];
    const isReplaced = !next.some((other) => equalJson(other, before));
    if (place && isReplaced && isObject(before) && isObject(item)) {
      const inner = place.lines.map((line, at) => (at === 0 ? line.replace(/^-/, " ") : line));
      const changed = editIndented(inner, (body) => editMapping(body, before, item));
      return [...place.leading, ...changed.map((line, at) => (at === 0 ? line.replace(/^ /, "-") : line))];
    }
    return emitLines([item]);
  });
  return [...edited, ...trailing];
}

/** Splits lines into entries. Comments and blank lines belong to the entry below them. */
function splitEntries(lines: readonly string[], start: RegExp): { entries: Entry[]; trailing: string[] } {
  const entries: { leading: string[]; lines: string[] }[] = [];
  let waiting: string[] = [];
  for (const line of lines) {
    const isTalk = /^\s*(#.*)?$/.test(line);
    if (isTalk) {
      waiting.push(line);
    } else if (start.test(line) || entries.length === 0) {
      entries.push({ leading: waiting, lines: [line] });
      waiting = [];
    } else {
      entries.at(-1)!.lines.push(...waiting, line);
      waiting = [];
    }
  }
  return { entries, trailing: waiting };
}

/** Edits lines without their common indentation, and restores it. */
function editIndented(lines: readonly string[], edit: (lines: readonly string[]) => readonly string[]): string[] {
  const first = lines.find((line) => !/^\s*(#.*)?$/.test(line)) ?? "";
  const margin = first.slice(0, first.length - first.trimStart().length);
  const inner = lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line));
  return edit(inner).map((line) => (line === "" ? line : margin + line));
}

function keyOf(line: string): string {
  const text = line.slice(0, line.search(/:(\s|$)/));
  return /^["']/.test(text) ? String(parseYamlDocuments(text)[0]) : text;
}

function emitLines(value: Mapping | readonly unknown[]): string[] {
  return emitYaml(value).trimEnd().split("\n");
}
