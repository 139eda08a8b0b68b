// A file that is another one with other names and a few changed lines is stored as FILE.diff. Its first line names the other
// file, and the words that differ; below each `@LINE` are the lines that are removed and added there.
import { rename } from "./copied-files.mjs";

/** With more changed lines, a whole file is easier to read. */
const mostChanged = 1 / 2;

/** Divides files into those to store whole and the texts of FILE.diff; `others` has more files to compare them with. */
export function withoutUnchangedLines(files, others) {
  const whole = new Map();
  const diffs = new Map();
  for (const [path, text] of files) {
    const candidates = [...others, ...whole].flatMap(([source, before]) => {
      const names = text && before ? namesOfPaths(source.replace(/^\w+:/, ""), path) : undefined;
      return names ? [{ source, names, changes: changesBetween(rename(before, names), text) }] : [];
    });
    const [best] = candidates.toSorted((a, b) => countOf(a.changes) - countOf(b.changes));
    if (best && countOf(best.changes) <= mostChanged * text.split("\n").length) {
      const pairs = [...best.names].map((pair) => pair.join("="));
      diffs.set(path, [[best.source, ...pairs].join(" "), ...best.changes, ""].join("\n"));
    } else whole.set(path, text);
  }
  return { whole, diffs };
}

/** Returns the file that a FILE.diff describes; `files` has the file that it names. */
export function applyDiff(diff, files) {
  const [head, ...changes] = diff.slice(0, -1).split("\n");
  const [source, ...pairs] = head.split(" ");
  if (!files.has(source)) throw new Error(`there is no ${source} to apply a diff to`);
  const before = rename(files.get(source), new Map(pairs.map((pair) => pair.split("=")))).split("\n");
  const after = [];
  let next = 0;
  for (const change of changes) {
    const line = change.slice(1);
    if (change.startsWith("@")) while (next < Number(line) - 1) after.push(before[next++]);
    else if (change.startsWith("+")) after.push(line);
    else if (before[next++] !== line) throw new Error(`line ${next} of ${source} is not: ${line}`);
  }
  return [...after, ...before.slice(next)].join("\n");
}

/** Returns the words by which the names of two files, and the versions in their paths, differ; `undefined` for other names. */
function namesOfPaths(source, path) {
  const [before, after] = [source, path].map((of) => of.split("/").at(-1).split(/[_.]/));
  const hasSameEnd = before.at(-1) === after.at(-1) && before.at(-2) === after.at(-2);
  if (before.length !== after.length ? !hasSameEnd : before.at(-1) !== after.at(-1)) return undefined;
  // A longer name begins with the kind, too.
  const words = before.length === after.length ? before.keys() : [0];
  const pairs = [...words].flatMap((index) => [
    [before[index], after[index]],
    [capitalized(before[index]), capitalized(after[index])],
  ]);
  const versions = [source, path].map((of) => /(?<=[/_])v\d\w*?(?=[/_])/.exec(of)?.[0]);
  if (versions.every(Boolean)) pairs.push(versions);
  return new Map(pairs.filter(([word, other]) => word !== other));
}

function capitalized(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function countOf(changes) {
  return changes.filter((line) => !line.startsWith("@")).length;
}

/** Compares two texts by a longest common subsequence of their lines. */
function changesBetween(from, to) {
  const [before, after] = [from.split("\n"), to.split("\n")];
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const changes = [];
  let isChanged = false;
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const isSame = i < before.length && before[i] === after[j];
    if (!isSame && !isChanged) changes.push(`@${i + 1}`);
    isChanged = !isSame;
    if (isSame) [i, j] = [i + 1, j + 1];
    else if (j >= after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1]))
      changes.push(`-${before[i++]}`);
    else changes.push(`+${after[j++]}`);
  }
  return changes;
}
