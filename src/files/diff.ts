import type { Disk } from "./disk.ts";
import type { Plan } from "./plan.ts";
import { settlePlan } from "./settle.ts";

/** Returns the changes of a plan as a unified diff; empty if there are none. Conflicting files are shown as changed. */
export async function diffPlan(plan: Plan, disk: Disk): Promise<string> {
  const settled = await settlePlan(plan, disk);
  return settled
    .filter(({ needed }) => needed)
    .map(({ change, current }) => {
      const after = change.type === "remove" ? undefined : change.text;
      return diffTexts(change.path, current, after);
    })
    .join("");
}

/** Returns the unified diff of one file; `undefined` stands for a missing file. */
export function diffTexts(path: string, before: string | undefined, after: string | undefined): string {
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const hunks = hunksOf(compareLines(linesOf(before ?? ""), linesOf(after ?? "")));
  return `--- ${from}\n+++ ${to}\n${hunks.join("")}`;
}

const context = 3;

/** A line of one of two texts, or of both. */
export interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Splits a text into lines with their line ends, so that a missing last one shows. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Compares two texts; the lines of both are a longest common subsequence. */
export function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const keep = (text: string): Line => ({ mark: " ", text });
  return [
    ...before.slice(0, head).map(keep),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(keep),
  ];
}

/** Finds the longest common subsequence with a table: the files are small, and their equal ends are already removed. */
function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      table[i * width + j] =
        before[i] === after[j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: " ", text: before[i]! });
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && table[(i + 1) * width + j]! >= table[i * width + j + 1]!)) {
      lines.push({ mark: "-", text: before[i++]! });
    } else {
      lines.push({ mark: "+", text: after[j++]! });
    }
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): string[] {
  const hunks: string[] = [];
  for (let start = 0; start < lines.length;) {
    const first = lines.findIndex((line, index) => index >= start && line.mark !== " ");
    if (first < 0) break;
    let last = first;
    for (let index = first; index < lines.length && index <= last + 2 * context; index++) {
      if (lines[index]!.mark !== " ") last = index;
    }
    const from = Math.max(start, first - context);
    const end = Math.min(lines.length, last + context + 1);
    hunks.push(formatHunk(lines, from, end));
    start = end;
  }
  return hunks;
}

function formatHunk(lines: readonly Line[], from: number, end: number): string {
  const range = (other: "-" | "+"): string => {
    const count = (list: readonly Line[]): number => list.filter(({ mark }) => mark === " " || mark === other).length;
    const [before, inside] = [count(lines.slice(0, from)), count(lines.slice(from, end))];
    return `${other}${inside === 0 ? before : before + 1}${inside === 1 ? "" : `,${inside}`}`;
  };
  const body = lines
    .slice(from, end)
    .map(({ mark, text }) => (text.endsWith("\n") ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`));
  return `@@ ${range("-")} ${range("+")} @@\n${body.join("")}`;
}
