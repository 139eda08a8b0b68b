import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editLines, editText, firstRelease, joinLines, randomNumbers } from "./random-edits.ts";
import { mergeLines, type Merged } from "../../../src/files/merge-lines.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const labels = { ours: "yours", theirs: "tsop 2" };
const text = (words: string): string =>
  words
    .split(" ")
    .filter(Boolean)
    .map((word) => `${word}\n`)
    .join("");

function merge(base: string, ours: string, theirs: string): Merged {
  const texts = { base: text(base), ours: text(ours), theirs: text(theirs) };
  return mergeLines(texts, { labels, collects: (line) => line.startsWith("#point") });
}

describe("mergeLines", () => {
  it.each<[string, [string, string, string], string]>([
    ["no change", ["a b c", "a b c", "a b c"], "a b c"],
    ["a change of ours", ["a b c", "a x c", "a b c"], "a x c"],
    ["a change of theirs", ["a b c", "a b c", "a x c"], "a x c"],
    ["changes in different places", ["a b c d e", "x b c d e", "a b c d y"], "x b c d y"],
    ["the same change", ["a b c", "a x c", "a x c"], "a x c"],
    ["lines that both add, in different places", ["a b c", "0 a b c", "a b c 9"], "0 a b c 9"],
    ["a removal and an addition elsewhere", ["a b c d", "a c d", "a b c d e"], "a c d e"],
    ["a new file on both sides with the same text", ["", "a b", "a b"], "a b"],
    ["insertions above a scaffold point", ["a #point", "a x #point", "a y #point"], "a x y #point"],
    [
      "the same and another insertion above a scaffold point",
      ["a #point", "a x #point", "a x y #point"],
      "a x y #point",
    ],
  ])("merges %s", (_title, [base, ours, theirs], expected) => {
    expect(merge(base, ours, theirs)).toEqual({ text: text(expected), conflicts: [] });
  });

  it.each<[string, [string, string, string], string, number[]]>([
    ["different changes of a line", ["a b c", "a x c", "a y c"], "a <<<<<<<_yours x ======= y >>>>>>>_tsop_2 c", [2]],
    ["a change and a removal", ["a b c", "a x c", "a c"], "a <<<<<<<_yours x ======= >>>>>>>_tsop_2 c", [2]],
    [
      "only the lines that differ in a changed block",
      ["a b c", "a x 1 z c", "a x 2 z c"],
      "a x <<<<<<<_yours 1 ======= 2 >>>>>>>_tsop_2 z c",
      [3],
    ],
    [
      "two places",
      ["a b c", "x b y", "p b q"],
      "<<<<<<<_yours x ======= p >>>>>>>_tsop_2 b <<<<<<<_yours y ======= q >>>>>>>_tsop_2",
      [1, 7],
    ],
  ])("marks %s", (_title, [base, ours, theirs], expected, conflicts) => {
    const merged = text(expected).replaceAll("_", " ");
    expect(merge(base, ours, theirs)).toEqual({ text: merged, conflicts });
  });

  it("keeps markers on lines of their own if the last line has no end", () => {
    const merged = mergeLines({ base: "a", ours: "b", theirs: "c" }, { labels });
    expect(merged.text).toBe("<<<<<<< yours\nb\n=======\nc\n>>>>>>> tsop 2\n");
    expect(mergeLines({ base: "a\nb", ours: "a\nb", theirs: "x\nb" }, { labels }).text).toBe("x\nb");
  });

  it("loses no line that one side added, and takes a side whole if the other has no change, in 3,000 random merges", () => {
    const next = randomNumbers(7);
    for (let round = 0; round < 3_000; round++) {
      const base = Array.from({ length: next(14) }, () => `b${next(8)}`);
      const [ours = [], theirs = []] = ["o", "t"].map((prefix) => editLines(base, { prefix, rate: 7, next }));
      const texts = { base: joinLines(base), ours: joinLines(ours), theirs: joinLines(theirs) };
      const merged = mergeLines(texts, { labels });
      const lines = merged.text.split("\n").slice(0, -1);
      const seed = JSON.stringify({ round, base, ours, theirs });
      expect(
        subsequence(
          ours.filter((line) => line.startsWith("o")),
          lines,
        ),
        seed,
      ).toBe(true);
      for (const line of theirs.filter((each) => each.startsWith("t"))) expect(lines, seed).toContain(line);
      if (ours.join() === base.join()) expect(lines, seed).toEqual(theirs);
      if (theirs.join() === base.join()) expect(lines, seed).toEqual(ours);
      if (merged.conflicts.length > 0) continue;
      expect(
        lines.every((line) => [...ours, ...theirs].includes(line)),
        seed,
      ).toBe(true);
    }
  });

  it("agrees with git about 80 files of projects with random edits of both sides", () => {
    const projects = firstRelease();
    const next = randomNumbers(11);
    const folder = temporaryFolder();
    let clean = 0;
    for (const [path, base] of Object.values(projects)
      .flatMap(Object.entries<string>)
      .slice(0, 80)) {
      const texts = {
        base,
        ours: editText(base, { prefix: "our ", rate: 30, next }),
        theirs: editText(base, { prefix: "their ", rate: 30, next }),
      };
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
      const names = ["-L", labels.ours, "-L", "base", "-L", labels.theirs, "ours", "base", "theirs"];
      const git = spawnSync("git", ["merge-file", "-p", ...names], { cwd: folder, encoding: "utf8" });
      const merged = mergeLines(texts, { labels });
      // The exit code is the number of conflicts; git joins those that are a few lines apart.
      expect(merged.conflicts.length > 0, path).toBe(git.status !== 0);
      if (git.status !== 0) continue;
      expect(merged.text, path).toBe(git.stdout);
      clean++;
    }
    expect(clean).toBeGreaterThan(20);
  });
});

function subsequence(wanted: readonly string[], lines: readonly string[]): boolean {
  let at = 0;
  for (const line of lines) if (line === wanted[at]) at++;
  return at === wanted.length;
}
