import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The projects that the first release wrote: scenario → path → text. */
export function firstRelease(): Record<string, Record<string, string>> {
  const file = new URL("../../golden/first-release.json.gz", import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Record<string, Record<string, string>>;
}

/** A linear congruential generator: the same numbers on every run. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

interface Edits {
  /** The start of each new line; a number follows, so that it is unique. */
  readonly prefix: string;
  /** Each line is replaced, preceded by a new one, or removed, with a chance of one in `rate` each. */
  readonly rate: number;
  readonly next: (below: number) => number;
}

export function editLines(base: readonly string[], { prefix, rate, next }: Edits): string[] {
  let count = 0;
  const edited = base.flatMap((line) => {
    const added = `${prefix}${count++}`;
    return [[added], [added, line], []][next(rate)] ?? [line];
  });
  return next(rate) === 0 ? [...edited, `${prefix}${count}`] : edited;
}

export function editText(base: string, edits: Edits): string {
  return joinLines(editLines(base.split("\n").slice(0, -1), edits));
}

export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
