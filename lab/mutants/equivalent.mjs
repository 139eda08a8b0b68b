/** Mutants that change nothing that anybody could notice: the file, the changed line, and why. */
export const equivalent = [
  {
    path: "src/olm/registry/pull-bundle.ts",
    became: "return new Map([...files].toSorted(([a], [b]) => (a <= b ? -1 : 1)));",
    why: "The keys of a map differ.",
  },
  {
    path: "src/files/diff.ts",
    became: "while (head <= before.length && head < after.length && before[head] === after[head]) head++;",
    why: "After the last line, the comparison is with undefined, which differs from every line.",
  },
];
