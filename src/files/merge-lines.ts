import { compareLines, linesOf } from "./diff.ts";

/** Three versions of a text: a common base, and two that were made of it. */
export interface ThreeTexts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface MergeOptions {
  /** The words after the conflict markers of both sides. */
  readonly labels: { readonly ours: string; readonly theirs: string };
  /** Says that lines which both sides insert above this line are all kept, one side's after the other's. */
  readonly collects?: (line: string) => boolean;
}

export interface Merged {
  readonly text: string;
  /** The numbers of the lines with `<<<<<<<`, from 1. */
  readonly conflicts: readonly number[];
}

/** Merges the changes of both sides, line by line; lines that both changed differently are marked as git does. */
export function mergeLines({ base, ours, theirs }: ThreeTexts, { labels, collects }: MergeOptions): Merged {
  const sides = { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) };
  const out: string[] = [];
  const conflicts: number[] = [];
  for (const chunk of splitChunks(sides)) {
    const lines = resolve(chunk, collects);
    if (lines) {
      out.push(...lines);
      continue;
    }
    const { head, tail } = equalEnds(chunk.ours, chunk.theirs);
    const inner = (all: readonly string[]): string[] => all.slice(head, all.length - tail).map(endLine);
    out.push(...chunk.ours.slice(0, head));
    conflicts.push(out.length + 1);
    out.push(`<<<<<<< ${labels.ours}\n`, ...inner(chunk.ours), "=======\n", ...inner(chunk.theirs));
    out.push(`>>>>>>> ${labels.theirs}\n`, ...chunk.ours.slice(chunk.ours.length - tail));
  }
  return { text: out.join(""), conflicts };
}

interface Chunk {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  /** The line below, if both sides have it. */
  readonly next: string | undefined;
}

/** Splits the texts at the lines that all three have: a chunk between two such lines, and one for each such line. */
function* splitChunks(sides: { readonly [Side in "base" | "ours" | "theirs"]: readonly string[] }): Iterable<Chunk> {
  const { base, ours, theirs } = sides;
  const [inOurs, inTheirs] = [findLines(base, ours), findLines(base, theirs)];
  let at = { base: 0, ours: 0, theirs: 0 };
  const chunkUntil = (end: typeof at): Chunk => ({
    base: base.slice(at.base, end.base),
    ours: ours.slice(at.ours, end.ours),
    theirs: theirs.slice(at.theirs, end.theirs),
    next: base[end.base],
  });
  for (const [index, line] of base.entries()) {
    const [our, their] = [inOurs[index], inTheirs[index]];
    if (our === undefined || their === undefined) continue;
    yield chunkUntil({ base: index, ours: our, theirs: their });
    yield { base: [line], ours: [line], theirs: [line], next: undefined };
    at = { base: index + 1, ours: our + 1, theirs: their + 1 };
  }
  yield chunkUntil({ base: base.length, ours: ours.length, theirs: theirs.length });
}

/** Returns the place of each line of the base in a side; `undefined` for a line that the side has removed. */
function findLines(base: readonly string[], side: readonly string[]): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  let at = 0;
  for (const { mark } of compareLines(base, side)) {
    if (mark !== "+") places.push(mark === " " ? at : undefined);
    if (mark !== "-") at++;
  }
  return places;
}

/** Returns the merged lines; `undefined` for a conflict. */
function resolve(
  { base, ours, theirs, next }: Chunk,
  collects: MergeOptions["collects"],
): readonly string[] | undefined {
  if (equalLines(ours, theirs) || equalLines(base, theirs)) return ours;
  if (equalLines(base, ours)) return theirs;
  if (base.length > 0 || next === undefined || !collects?.(next)) return undefined;
  return [...ours, ...theirs.filter((line) => !ours.includes(line))];
}

function equalLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function equalEnds(a: readonly string[], b: readonly string[]): { head: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return { head, tail };
}

/** A marker stands on a line of its own, also below a last line without an end. */
function endLine(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n`;
}
