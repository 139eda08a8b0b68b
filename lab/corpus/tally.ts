import { appendFileSync } from "node:fs";
import type { AcceptedDifference } from "./accepted-differences.ts";
import { findDifferences } from "./find-differences.ts";
import type { Pair } from "./server-pair.ts";

/** Counts of what was sent. */
interface Counts {
  sent: number;
  /** By the real server. */
  refused: number;
  equal: number;
  accepted: number;
  unexplained: number;
}

/** Judges pairs of answers, and remembers what differs. */
export class Tally {
  private readonly rows = new Map<string, Counts>();
  private readonly applied = new Map<AcceptedDifference, number>();
  private readonly unexplained: string[] = [];
  private readonly accepting: readonly AcceptedDifference[];
  private readonly file: string | undefined;

  constructor(accepting: readonly AcceptedDifference[], file?: string) {
    this.accepting = accepting;
    this.file = file;
  }

  /** Judges all answers that concern one object; `what` is the row of the table. */
  judge(what: string, subject: string, pairs: readonly Pair[]): void {
    const row = this.rows.get(what) ?? { sent: 0, refused: 0, equal: 0, accepted: 0, unexplained: 0 };
    this.rows.set(what, row);
    row.sent++;
    if (pairs.some(({ real }) => (real.status ?? 0) >= 400)) row.refused++;
    const lines = pairs.flatMap((pair) =>
      findDifferences(pair).map((line) => `${subject}: ${pair.real.step}: ${line}`),
    );
    const open = lines.filter((line) => !this.isAccepted(line));
    row[lines.length === 0 ? "equal" : open.length === 0 ? "accepted" : "unexplained"]++;
    this.unexplained.push(...open.slice(0, 1));
    if (this.file && open.length > 0) appendFileSync(this.file, `${open.join("\n")}\n\n`);
  }

  private isAccepted(line: string): boolean {
    const found = this.accepting.find(({ pattern }) => pattern.test(line));
    if (found) this.applied.set(found, (this.applied.get(found) ?? 0) + 1);
    return found !== undefined;
  }

  /** Prints the table; returns whether all is explained, and if the run was whole, whether each reason was needed. */
  report(isWhole: boolean, print: (text: string) => void = console.log): boolean {
    for (const line of formatRows(this.rows)) print(line);
    for (const [{ reason }, count] of this.applied) print(`${String(count).padStart(6)}  accepted: ${reason}`);
    for (const line of this.unexplained.slice(0, 40)) print(`unexplained: ${line.slice(0, 600)}`);
    const idle = isWhole ? this.accepting.filter((one) => !this.applied.has(one)) : [];
    for (const { reason } of idle) print(`no longer applies: ${reason}`);
    const isShort = this.accepting.length < 20;
    if (!isShort) print("there are too many accepted differences");
    return this.unexplained.length === 0 && idle.length === 0 && isShort;
  }
}

const columns = ["sent", "refused", "equal", "accepted", "unexplained"] as const;

function formatRows(rows: ReadonlyMap<string, Counts>): string[] {
  const line = (name: string, cells: readonly unknown[]): string =>
    [name.padEnd(11), ...cells.map((cell) => String(cell).padStart(11))].join(" ");
  return [
    line("", columns),
    ...[...rows].map(([name, counts]) =>
      line(
        name,
        columns.map((column) => counts[column]),
      ),
    ),
  ];
}
