// A file that is another one with other names, such as the controller of a second kind, is stored as a line of copies.txt:
// its path, the path of the other file, and the words that differ.

/** Versions, words with hyphens, the parts of camel case, and single characters. */
const tokens = /v\d+(?:(?:alpha|beta)\d+)?|[a-z]+(?:-[a-z]+)*|[A-Z][a-z]+|[\s\S]/g;
/** Replaces words of a text. */
export function rename(text, names) {
  return text.replace(tokens, (word) => names.get(word) ?? word);
}

/** With more names, the files have too little in common to be read as copies. */
const mostNames = 12;

/** Returns the names by which two texts differ, or `undefined` if they differ by more. */
function namesBetween(from, to) {
  const [before, after] = [from.match(tokens) ?? [], to.match(tokens) ?? []];
  if (before.length !== after.length) return undefined;
  const names = new Map();
  for (const [index, word] of before.entries()) {
    const other = after[index];
    if ((names.get(word) ?? other) !== other || (word !== other && !/^[A-Za-z]/.test(word))) return undefined;
    names.set(word, other);
  }
  const changed = [...names].filter(([word, other]) => word !== other);
  return changed.length <= mostNames ? new Map(changed) : undefined;
}

/** Divides files into those to store whole and the lines of copies.txt; `others` has more files that may be copied. */
export function withoutCopies(files, others) {
  const whole = new Map();
  const lines = [];
  for (const [path, text] of files) {
    const candidates = [...others, ...whole].flatMap(([source, before]) => {
      const names = before === "" ? undefined : namesBetween(before, text);
      return names ? [{ source, names }] : [];
    });
    const [best] = candidates.toSorted((a, b) => a.names.size - b.names.size);
    if (best) lines.push([path, best.source, ...[...best.names].map((pair) => pair.join("="))].join(" "));
    else whole.set(path, text);
  }
  return { whole, lines };
}

/** Returns the files that lines of copies.txt describe, from those that they name. */
export function copiesOf(lines, files) {
  return lines.map((line) => {
    const [path, source, ...pairs] = line.split(" ");
    if (!files.has(source)) throw new Error(`copies.txt: there is no ${source} to make ${path} of`);
    const names = new Map(pairs.map((pair) => pair.split("=")));
    return [path, rename(files.get(source), names)];
  });
}
